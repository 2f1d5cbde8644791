-- What will not be tried again: the attempts are used up, or no attempt would help.
SELECT
    order_id,
    customer_id,
    orders.product_id,
    quantity,
    attempt                                   AS attempts,
    unix_millis(ordered_at)                   AS ordered_at,
    if(catalogue.product_id IS NULL, 'unknown_product', 'too_many')  AS reason
FROM orders
LEFT JOIN catalogue ON catalogue.product_id = orders.product_id
WHERE (catalogue.product_id IS NULL AND attempt >= ${max_attempts}) OR quantity > most_at_once
