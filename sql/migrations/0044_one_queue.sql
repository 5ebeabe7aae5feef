-- One queue: whatever is worked off in the background stands in rows of the same columns, in River's terms, and one set of
-- statements leases, fences, tries again and discards them. Notifications are rows of their own; everything else is a job.

ALTER TABLE store_notifications RENAME COLUMN attempts TO attempt;
ALTER TABLE store_notifications RENAME COLUMN waits TO snoozes;
ALTER TABLE store_notifications RENAME COLUMN next_attempt_at TO scheduled_at;
ALTER TABLE store_notifications RENAME COLUMN leased_by TO attempted_by;
ALTER TABLE store_notifications RENAME COLUMN finished_at TO finalized_at;
ALTER TABLE store_notifications RENAME CONSTRAINT waits_are_attempts TO snoozes_are_attempts;
ALTER TABLE store_notifications ADD COLUMN max_attempts integer NOT NULL DEFAULT 10;
ALTER TABLE store_notifications ADD CONSTRAINT there_is_an_attempt CHECK (max_attempts >= 1);

CREATE TABLE jobs (
    id             uuid PRIMARY KEY,
    app_id         uuid NOT NULL REFERENCES apps,
    -- What is to be done, and the row that it is about.
    kind           text NOT NULL,
    subject_id     uuid NOT NULL,
    state          text NOT NULL,
    attempt        integer NOT NULL DEFAULT 0,
    max_attempts   integer NOT NULL DEFAULT 10,
    -- Attempts that ended for no fault of the job; they do not count towards the last.
    snoozes        integer NOT NULL DEFAULT 0,
    scheduled_at   timestamptz NOT NULL,
    -- The worker that holds it, and until when nobody else may.
    attempted_by   uuid,
    lease_ends_at  timestamptz,
    last_error     text,
    created_at     timestamptz NOT NULL,
    finalized_at   timestamptz,
    CONSTRAINT kind_has_a_name CHECK (kind ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT state_is_known CHECK (state IN ('available', 'running', 'completed', 'discarded', 'cancelled')),
    CONSTRAINT there_is_an_attempt CHECK (max_attempts >= 1),
    CONSTRAINT snoozes_are_attempts CHECK (snoozes >= 0 AND snoozes <= attempt),
    CONSTRAINT a_lease_has_an_owner_and_an_end CHECK (
        (state = 'running') = (attempted_by IS NOT NULL) AND (attempted_by IS NULL) = (lease_ends_at IS NULL)
    ),
    CONSTRAINT what_is_finished_says_when CHECK (
        (state IN ('completed', 'discarded', 'cancelled')) = (finalized_at IS NOT NULL)
    ),
    CONSTRAINT what_was_discarded_says_why CHECK (state <> 'discarded' OR last_error IS NOT NULL)
);
CREATE UNIQUE INDEX one_job_of_a_kind_per_subject ON jobs (kind, subject_id)
    WHERE state IN ('available', 'running', 'discarded');
CREATE INDEX jobs_to_work_on ON jobs (scheduled_at, id) WHERE state = 'available';
CREATE INDEX jobs_on_lease ON jobs (lease_ends_at) WHERE state = 'running';
CREATE INDEX jobs_of_state_newest_first ON jobs (app_id, state, created_at DESC, id DESC);
CREATE INDEX jobs_that_are_over ON jobs (finalized_at) WHERE state IN ('completed', 'cancelled');

-- One row per try, for as long as its job is kept.
CREATE TABLE job_attempts (
    job_id       uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    attempt      integer NOT NULL,
    result       text NOT NULL,
    error        text,
    started_at   timestamptz NOT NULL,
    finished_at  timestamptz NOT NULL,
    PRIMARY KEY (job_id, attempt),
    CONSTRAINT result_is_known CHECK (result IN ('completed', 'retried', 'discarded'))
);
CREATE TRIGGER attempts_are_never_changed BEFORE UPDATE ON job_attempts
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Workers of every server hear of what is new when it is committed.
CREATE FUNCTION wake_workers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('work', TG_TABLE_NAME);
    RETURN NULL;
END;
$$;
CREATE TRIGGER workers_are_woken AFTER INSERT ON jobs FOR EACH STATEMENT EXECUTE FUNCTION wake_workers();
CREATE TRIGGER workers_are_woken AFTER INSERT ON store_notifications FOR EACH STATEMENT EXECUTE FUNCTION wake_workers();

INSERT INTO jobs (id, app_id, kind, subject_id, state, scheduled_at, last_error, created_at)
SELECT gen_random_uuid(), app_id, 'bulk_job', id, 'available', now(), last_error, requested_at
FROM bulk_jobs
WHERE state IN ('checking', 'running', 'undoing');
DROP INDEX bulk_jobs_with_work;
ALTER TABLE bulk_jobs DROP COLUMN attempts, DROP COLUMN leased_by, DROP COLUMN lease_ends_at, DROP COLUMN last_error;

-- A directory may be away for days: sixty tries take two and a half.
INSERT INTO jobs (id, app_id, kind, subject_id, state, max_attempts, scheduled_at, last_error, created_at)
SELECT gen_random_uuid(), app_id, 'report', id, 'available', 60, greatest(due_at, retry_at), failure, now()
FROM reports;
DROP INDEX reports_by_due_moment;
ALTER TABLE reports DROP COLUMN due_at, DROP COLUMN leased_by, DROP COLUMN leased_until, DROP COLUMN attempts,
    DROP COLUMN failure, DROP COLUMN failed_at, DROP COLUMN retry_at;
