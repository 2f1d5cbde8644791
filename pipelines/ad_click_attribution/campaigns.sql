-- Attributed clicks of each campaign in windows of ten seconds.
SELECT
    campaign_id,
    unix_millis(window.start)                 AS window_start,
    unix_millis(window.end)                   AS window_end,
    count(*)                                  AS clicks,
    size(collect_set(user_id))                AS users,
    CAST(round(avg(delay_ms)) AS BIGINT)      AS mean_delay_ms
FROM attributions
GROUP BY campaign_id, window(clicked_at, '10 seconds')
