-- One row a kind and window, put out once, when the watermark says that the window is over.
SELECT
    kind,
    unix_millis(window.start)  AS window_start,
    unix_millis(window.end)    AS window_end,
    count(*)                   AS events
FROM events
GROUP BY kind, window(event_time, ${window})
