-- One row a service and minute, when the watermark says that the minute is over.
SELECT
    coalesce(service, 'other')                                AS service,
    max(team)                                                 AS team,
    unix_millis(window.start)                                 AS window_start,
    unix_millis(window.end)                                   AS window_end,
    count(*)                                                  AS requests,
    count_if(status >= 500)                                   AS errors,
    round(count_if(status >= 500) / count(*), 4)              AS error_rate,
    coalesce(sum(bytes), 0)                                   AS bytes,
    percentile_approx(micros, 0.95) DIV 1000                  AS p95_ms
FROM access_log
-- The table is small and stands still: it is sent to every executor, and the stream is not shuffled for it.
LEFT JOIN services ON segment = regexp_extract(path, '^/([^/?]*)', 1)
GROUP BY coalesce(service, 'other'), window(logged_at, '1 minute')
