-- One row a page and minute, put out once, when the watermark says that the minute is over.
--
-- `page_views` is valid, free of repeated events and of events older than the watermark.
-- Heartbeats are left out here and not earlier: they must have moved the watermark first.
SELECT
    page,
    unix_millis(window.start)      AS window_start,
    unix_millis(window.end)        AS window_end,
    count(*)                       AS views,
    -- Exact, and kept in the state as a set: right for the visitors of a page in a minute. For a window of days use
    -- approx_count_distinct. (Spark does not do count(DISTINCT …) on a stream.)
    size(collect_set(user_id))     AS visitors
FROM page_views
WHERE event_type = 'page_view'
GROUP BY page, window(event_time, '1 minute')
