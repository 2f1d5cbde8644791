-- Every sale, with what the product table knows of it. A product that it does not know is no reason to lose a sale.
SELECT
    sales.sale_id,
    unix_millis(sales.sold_at)                                AS sold_at,
    sales.store_id,
    sales.channel,
    sales.product_id,
    products.name                                             AS product,
    coalesce(products.category, 'unknown')                    AS category,
    sales.quantity,
    sales.quantity * sales.unit_price_cents                   AS revenue_cents,
    sales.quantity * (products.list_price_cents - sales.unit_price_cents)  AS discount_cents,
    date_format(sales.sold_at, 'yyyy-MM-dd')                  AS day
FROM sales
LEFT JOIN products ON products.product_id = sales.product_id
