-- A product that the catalogue does not know may be there tomorrow: the order goes back into the queue.
SELECT
    order_id,
    unix_millis(ordered_at)                   AS ordered_at,
    customer_id,
    orders.product_id,
    quantity,
    attempt + 1                               AS attempt,
    'unknown_product'                         AS last_error
FROM orders
LEFT JOIN catalogue ON catalogue.product_id = orders.product_id
WHERE catalogue.product_id IS NULL AND attempt < ${max_attempts}
