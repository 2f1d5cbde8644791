-- Minutes in which a service failed too often.
SELECT
    coalesce(service, 'other')                                AS service,
    max(team)                                                 AS team,
    unix_millis(window.start)                                 AS window_start,
    count(*)                                                  AS requests,
    count_if(status >= 500)                                   AS errors,
    round(count_if(status >= 500) / count(*), 4)              AS error_rate,
    -- The paths that failed, so that whoever is woken knows where to look.
    sort_array(collect_set(if(status >= 500, split(path, '[?]')[0], NULL)))  AS paths
FROM access_log
LEFT JOIN services ON segment = regexp_extract(path, '^/([^/?]*)', 1)
GROUP BY coalesce(service, 'other'), window(logged_at, '1 minute')
HAVING count(*) >= ${alert_requests} AND count_if(status >= 500) / count(*) > ${alert_error_rate}
