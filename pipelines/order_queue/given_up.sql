-- What will not be tried again: the attempts are used up, or no attempt would help.
SELECT
    order_id,
    customer_id,
    product_id,
    quantity,
    attempt                                   AS attempts,
    unix_millis(ordered_at)                   AS ordered_at,
    outcome                                   AS reason
FROM decisions
WHERE outcome = 'too_many' OR (outcome = 'unknown_product' AND attempt >= ${max_attempts})
