-- A product that the catalogue does not know may be there tomorrow: the order goes back into the queue.
SELECT
    order_id,
    unix_millis(ordered_at)                   AS ordered_at,
    customer_id,
    product_id,
    quantity,
    attempt + 1                               AS attempt,
    outcome                                   AS last_error
FROM decisions
WHERE outcome = 'unknown_product' AND attempt < ${max_attempts}
