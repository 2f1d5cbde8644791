-- Orders that can be handled: the catalogue knows the product, and there are not too many of it.
SELECT
    order_id,
    customer_id,
    orders.product_id,
    quantity,
    quantity * price_cents                    AS total_cents,
    attempt                                   AS attempts,
    unix_millis(ordered_at)                   AS ordered_at
FROM orders
JOIN catalogue ON catalogue.product_id = orders.product_id
WHERE quantity <= coalesce(most_at_once, quantity)
