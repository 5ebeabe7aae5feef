-- How well the service itself works, by the hour: what each server counted, added up (docs/metrics.md, "Health").

CREATE TABLE health_hours (
    hour       timestamptz NOT NULL,
    measure    text NOT NULL,
    -- The method and pattern of a request's route, the app whose notifications failed; empty for what has none.
    detail     text NOT NULL,
    count      bigint NOT NULL,
    -- How many of them went well.
    good       bigint NOT NULL,
    -- Seconds, or what was sampled.
    sum        double precision NOT NULL,
    max        double precision NOT NULL,
    -- How many lasted how long; the bounds are those of `DurationHistogram`. What is not sampled has none.
    buckets    bigint[] NOT NULL,
    written_at timestamptz NOT NULL,
    PRIMARY KEY (hour, measure, detail),
    CONSTRAINT measure_is_known CHECK (measure IN (
        'request', 'sign_in', 'synced', 'applied', 'queue_age', 'waiting_notifications', 'failed_notifications')),
    CONSTRAINT an_hour_is_whole CHECK (extract(epoch FROM hour)::bigint % 3600 = 0),
    CONSTRAINT what_is_good_is_counted CHECK (good BETWEEN 0 AND count)
);

-- Two histograms as one, bucket by bucket; the shorter ends with empty ones.
CREATE FUNCTION add_buckets(ones bigint[], others bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT coalesce(array_agg(coalesce(one, 0) + coalesce(other, 0) ORDER BY place), '{}')
        FROM unnest(ones, others) WITH ORDINALITY AS pair (one, other, place));

-- Renewals that could not be charged are kept with the numbers of subscriptions. Those that were told before this migration are
-- added by `perennial rollups rebuild`.
ALTER TABLE rollups DROP CONSTRAINT measure_is_known;
ALTER TABLE rollups ADD CONSTRAINT measure_is_known CHECK (measure IN (
    'charge', 'free_order', 'refund', 'refunded_charge', 'order_by_hour', 'refund_by_hour',
    'mrr', 'subscriber', 'lost', 'trial', 'trial_converted', 'trial_abandoned',
    'seen', 'converted', 'paying', 'cohort_net', 'started', 'retained', 'holder', 'access', 'charge_failed'));
