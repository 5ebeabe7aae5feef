-- Each process that runs writes here every few seconds that it can: whether something can be stored is only known by storing
-- something. It also says for how long it has seen work and nobody doing any of it, so that others can tell.

CREATE TABLE heartbeats (
    server uuid PRIMARY KEY,
    written_at timestamptz NOT NULL DEFAULT now(),
    -- It applies notifications.
    is_worker boolean NOT NULL,
    -- Since when notifications have waited and none has been applied; NULL while work is done, or there is none.
    stalled_since timestamptz,
    CONSTRAINT only_a_worker_sees_a_stall CHECK (is_worker OR stalled_since IS NULL)
);

COMMENT ON TABLE heartbeats IS 'Which processes run, and whether they get on with their work';
