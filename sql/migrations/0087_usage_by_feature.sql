-- What is used of each feature by business day, added up over all customers, for charts (docs/metrics.md, "Usage"). A trigger adds
-- entries in the transaction that counts; they are only ever inserted, so no count waits for another customer's. A job adds them up into
-- `usage_totals` and takes them away in the same transaction, so at every moment the totals and the entries together are the whole.
CREATE TABLE usage_totals (
    feature_id uuid NOT NULL REFERENCES features,
    day        date NOT NULL,
    used       bigint NOT NULL,
    offline    bigint NOT NULL,
    PRIMARY KEY (feature_id, day)
);

CREATE TABLE usage_entries (
    feature_id uuid NOT NULL,
    day        date NOT NULL,
    used       bigint NOT NULL,
    offline    bigint NOT NULL
);

CREATE FUNCTION note_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO usage_entries (feature_id, day, used, offline) VALUES (NEW.feature_id, NEW.day, NEW.used, NEW.offline);
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO usage_entries (feature_id, day, used, offline) VALUES (OLD.feature_id, OLD.day, -OLD.used, -OLD.offline);
    ELSE
        INSERT INTO usage_entries (feature_id, day, used, offline)
        VALUES (NEW.feature_id, NEW.day, NEW.used - OLD.used, NEW.offline - OLD.offline);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER usage_totals_follow_usage AFTER INSERT OR DELETE OR UPDATE OF used, offline ON usage_days
    FOR EACH ROW EXECUTE FUNCTION note_usage();

-- Nobody counts meanwhile: the trigger holds the table.
INSERT INTO usage_totals (feature_id, day, used, offline)
SELECT feature_id, day, sum(used), sum(offline)
FROM usage_days
GROUP BY feature_id, day;

-- The last day on which the customer may still be near a limit (at 80 % of it or over), as the last count or refusal judged it: the end of
-- the longest window that is; NULL for not. The list of them judges each again by what holds when it is read. A count that leaves it as
-- it is writes no index.
ALTER TABLE usage_counters ADD COLUMN near_limit_until date;

CREATE INDEX usage_near_limits ON usage_counters (feature_id, near_limit_until, customer_id)
    WHERE near_limit_until IS NOT NULL;
