-- Revenue of each category in windows of five minutes, each put out once, when it is over.
SELECT
    coalesce(products.category, 'unknown')                    AS category,
    unix_millis(window.start)                                 AS window_start,
    unix_millis(window.end)                                   AS window_end,
    count(*)                                                  AS sales,
    sum(quantity)                                             AS units,
    sum(quantity * unit_price_cents)                          AS revenue_cents,
    count_if(channel != 'store')                              AS not_in_store
FROM sales
LEFT JOIN products ON products.product_id = sales.product_id
GROUP BY coalesce(products.category, 'unknown'), window(sold_at, '5 minutes')
