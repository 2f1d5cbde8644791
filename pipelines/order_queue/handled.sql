-- Orders that could be handled: the catalogue knew the product, and there were not too many of it.
SELECT
    order_id,
    customer_id,
    product_id,
    quantity,
    total_cents,
    attempt                                   AS attempts,
    unix_millis(ordered_at)                   AS ordered_at
FROM decisions
WHERE outcome = 'handled'
