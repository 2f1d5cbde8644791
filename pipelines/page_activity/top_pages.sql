-- The pages with most views of each minute, in one row, when the minute is over.
--
-- `minutes` is what the flow page_activity writes, a row a page and minute: to count first and rank then takes two
-- aggregations, which Spark 3.3 does not do in one query.
SELECT
    unix_millis(window.start)  AS window_start,
    unix_millis(window.end)    AS window_end,
    sum(views)                 AS views,
    -- Most views first; of equal ones, the page that sorts last, so that the answer does not depend on chance.
    transform(
        slice(sort_array(collect_list(struct(views, page)), false), 1, ${top}),
        ranked -> named_struct('page', ranked.page, 'views', ranked.views)
    )                          AS pages
FROM minutes
GROUP BY window(window_start, '1 minute')
