-- How many were lost in a period is known at the end of its last day, and was said to be on the day after it: as of its last day
-- nobody had been lost yet. Nothing was known earlier than that, so no row comes upon another.

CREATE FUNCTION day_after_period(first date, step smallint) RETURNS date
    LANGUAGE sql IMMUTABLE
    RETURN (first + CASE step WHEN 1 THEN interval '1 day' WHEN 2 THEN interval '7 days' ELSE interval '1 month' END)::date;

UPDATE rollups SET known_day = known_day - 1 WHERE measure = 'lost' AND known_day = day_after_period(day, step);
UPDATE rollup_entries SET known_day = known_day - 1 WHERE measure = 'lost' AND known_day = day_after_period(day, step);
UPDATE subscriber_entries SET known_day = known_day - 1 WHERE measure = 'lost' AND known_day = day_after_period(day, step);

DROP FUNCTION day_after_period;
