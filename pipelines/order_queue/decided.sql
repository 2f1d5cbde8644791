-- What becomes of each attempt. Whoever handles, retries or gives up reads this, and none asks the catalogue again: it
-- may have changed, and an order would be in two of them, or in none.
SELECT
    order_id,
    attempt,
    unix_millis(ordered_at)                   AS ordered_at,
    customer_id,
    orders.product_id,
    quantity,
    CASE
        WHEN quantity > most_at_once THEN 'too_many'
        WHEN catalogue.product_id IS NOT NULL THEN 'handled'
        ELSE 'unknown_product'
    END                                       AS outcome,
    quantity * price_cents                    AS total_cents
FROM orders
LEFT JOIN catalogue ON catalogue.product_id = orders.product_id
