-- The rollups of an app with few orders a day are made again day by day, and each day's few rows were planned for at the cost of
-- hundreds. They are planned for as those are that the ledger's triggers add up (0022).
CREATE OR REPLACE FUNCTION roll_up_next(of_app uuid, after_moment timestamptz, after_id uuid)
    RETURNS TABLE (last_moment timestamptz, last_id uuid, rows_taken integer) LANGUAGE plpgsql
    SET plan_cache_mode = force_custom_plan SET enable_seqscan = on AS $$
DECLARE
    ids uuid[];
    moments timestamptz[];
BEGIN
    SELECT array_agg(batch.id ORDER BY batch.recorded_at, batch.id), array_agg(batch.recorded_at ORDER BY batch.recorded_at, batch.id)
    INTO ids, moments
    FROM (
        SELECT t.id, t.recorded_at
        FROM transactions t
        WHERE t.app_id = of_app AND (t.recorded_at, t.id) > (after_moment, after_id) AND t.recorded_at < (
            SELECT ((next.recorded_at AT TIME ZONE a.time_zone)::date + 1)::timestamp AT TIME ZONE a.time_zone
            FROM transactions next
            JOIN apps a ON a.id = next.app_id
            WHERE next.app_id = of_app AND (next.recorded_at, next.id) > (after_moment, after_id)
            ORDER BY next.recorded_at, next.id
            LIMIT 1)
        ORDER BY t.recorded_at, t.id
        LIMIT 5000
    ) batch;
    rows_taken := cardinality(ids);
    IF rows_taken > 0 THEN
        last_moment := moments[rows_taken];
        last_id := ids[rows_taken];
        IF rows_taken <= 100 THEN
            SET LOCAL plan_cache_mode = force_generic_plan;
            SET LOCAL enable_seqscan = off;
        END IF;
        PERFORM roll_up(ids, last_moment, last_id);
        PERFORM roll_up_cohorts(ids, last_moment, last_id);
        RETURN NEXT;
    END IF;
END $$;
