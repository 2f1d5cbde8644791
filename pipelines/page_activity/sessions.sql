-- One row a user and session, when the watermark says that nothing of it can come any more.
SELECT
    user_id,
    unix_millis(session_window.start)                             AS session_start,
    unix_millis(session_window.end)                               AS session_end,
    count(*)                                                      AS events,
    count_if(event_type = 'page_view')                            AS views,
    count_if(event_type = 'search')                               AS searches,
    count_if(event_type = 'click')                                AS clicks,
    min_by(page, event_time)                                      AS first_page,
    max_by(page, event_time)                                      AS last_page,
    size(collect_set(page))                                       AS pages
FROM page_views
WHERE event_type != 'heartbeat'
GROUP BY user_id, session_window(event_time, ${session_gap})
