-- How much support may give ahead to one customer, and from how many customers on a second person looks at it first.
ALTER TABLE apps
    ADD COLUMN support_grant_limit_days integer NOT NULL DEFAULT 30,
    ADD COLUMN bulk_approval_from integer NOT NULL DEFAULT 100,
    ADD CONSTRAINT support_gives_no_less_than_nothing CHECK (support_grant_limit_days >= 0),
    ADD CONSTRAINT approval_is_asked_from_one_customer_on CHECK (bulk_approval_from >= 1);

-- Staff said whose it is: the store's account token no longer moves it.
ALTER TABLE subscriptions ADD COLUMN is_pinned boolean NOT NULL DEFAULT false;

-- Plans that staff gave. They stand beside what is paid and never change it.
CREATE TABLE grants (
    id              uuid PRIMARY KEY,
    app_id          uuid NOT NULL REFERENCES apps,
    customer_id     uuid NOT NULL REFERENCES customers,
    plan_id         uuid NOT NULL REFERENCES plans,
    kind            text NOT NULL,
    starts_at       timestamptz NOT NULL,
    -- Exclusive; NULL for without end.
    ends_at         timestamptz,
    -- When staff ended it before its time.
    ended_at        timestamptz,
    -- The subscription that it extends or lifts; it moves and is revoked with it.
    subscription_id uuid REFERENCES subscriptions,
    version         integer NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT kind_is_known CHECK (kind IN ('gift', 'extension', 'tier')),
    CONSTRAINT a_grant_ends_after_it_starts CHECK (ends_at > starts_at),
    CONSTRAINT versions_count_from_one CHECK (version >= 1)
);
CREATE INDEX grants_by_customer ON grants (customer_id, starts_at DESC, id DESC);
CREATE INDEX grants_by_subscription ON grants (subscription_id) WHERE subscription_id IS NOT NULL;
CREATE INDEX grants_newest_first ON grants (app_id, created_at DESC, id DESC);

-- Subscriptions that staff let give nothing for a time; the store's state is left alone.
CREATE TABLE suspensions (
    id              uuid PRIMARY KEY,
    subscription_id uuid NOT NULL REFERENCES subscriptions,
    suspended_at    timestamptz NOT NULL,
    lifted_at       timestamptz,
    CONSTRAINT a_suspension_is_lifted_after_it_began CHECK (lifted_at >= suspended_at)
);
CREATE UNIQUE INDEX one_open_suspension_per_subscription ON suspensions (subscription_id) WHERE lifted_at IS NULL;
CREATE INDEX suspensions_by_subscription ON suspensions (subscription_id, suspended_at DESC);

-- The same for many customers at once.
CREATE TABLE bulk_jobs (
    id             uuid PRIMARY KEY,
    app_id         uuid NOT NULL REFERENCES apps,
    kind           text NOT NULL,
    plan_id        uuid REFERENCES plans,
    days           integer,
    ends_at        timestamptz,
    reason         text NOT NULL,
    -- Where the lines came from: a file's name, a list's filter; NULL for pasted text.
    origin         text,
    state          text NOT NULL,
    -- Set by the dry run: whether a second person has to approve.
    needs_approval boolean NOT NULL DEFAULT false,
    requested_by   uuid NOT NULL REFERENCES staff,
    requested_at   timestamptz NOT NULL,
    approved_by    uuid REFERENCES staff,
    approved_at    timestamptz,
    started_at     timestamptz,
    finished_at    timestamptz,
    undo_asked_by  uuid REFERENCES staff,
    undo_asked_at  timestamptz,
    undone_at      timestamptz,
    last_error     text,
    attempts       integer NOT NULL DEFAULT 0,
    leased_by      uuid,
    lease_ends_at  timestamptz,
    version        integer NOT NULL DEFAULT 1,
    CONSTRAINT kind_is_known CHECK (kind IN ('grant', 'extend', 'revoke', 'change_tier')),
    CONSTRAINT state_is_known CHECK (state IN (
        'checking', 'ready', 'waiting', 'running', 'done', 'cancelled', 'undoing', 'undone')),
    CONSTRAINT a_plan_is_named_where_one_is_given CHECK ((kind IN ('grant', 'change_tier')) = (plan_id IS NOT NULL)),
    CONSTRAINT days_are_from_1_to_3650 CHECK (days BETWEEN 1 AND 3650),
    CONSTRAINT a_lease_has_an_owner_and_an_end CHECK ((leased_by IS NULL) = (lease_ends_at IS NULL)),
    CONSTRAINT nobody_approves_their_own CHECK (approved_by <> requested_by),
    CONSTRAINT what_needs_approval_waits_for_it CHECK (
        NOT needs_approval OR approved_by IS NOT NULL OR state IN ('checking', 'ready', 'waiting', 'cancelled'))
);
CREATE INDEX bulk_jobs_newest_first ON bulk_jobs (app_id, requested_at DESC, id DESC);
CREATE INDEX bulk_jobs_with_work ON bulk_jobs (requested_at, id) WHERE state IN ('checking', 'running', 'undoing');

-- What staff did to what a customer holds, as the list of its effects, so that it can be taken back.
CREATE TABLE entitlement_actions (
    id          uuid PRIMARY KEY,
    app_id      uuid NOT NULL REFERENCES apps,
    customer_id uuid NOT NULL REFERENCES customers,
    kind        text NOT NULL,
    changes     jsonb NOT NULL,
    -- The action that this one takes back.
    undoes      uuid REFERENCES entitlement_actions,
    staff_id    uuid REFERENCES staff,
    bulk_job_id uuid REFERENCES bulk_jobs,
    bulk_line   integer,
    at          timestamptz NOT NULL,
    CONSTRAINT kind_is_known CHECK (kind IN (
        'grant', 'extend', 'revoke', 'restore', 'change_tier', 'transfer', 'cancel', 'undo')),
    CONSTRAINT what_is_taken_back_is_named CHECK ((kind = 'undo') = (undoes IS NOT NULL)),
    CONSTRAINT an_action_is_taken_back_once UNIQUE (undoes),
    CONSTRAINT one_action_per_bulk_line UNIQUE (bulk_job_id, bulk_line),
    CONSTRAINT a_bulk_line_is_of_a_job CHECK ((bulk_job_id IS NULL) = (bulk_line IS NULL))
);
CREATE INDEX entitlement_actions_by_customer ON entitlement_actions (customer_id, at DESC, id DESC);

-- The lines of a job. What was typed is kept as it was, so that the result file can be laid beside it.
CREATE TABLE bulk_rows (
    job_id         uuid NOT NULL REFERENCES bulk_jobs,
    line           integer NOT NULL,
    input          text NOT NULL,
    customer_id    uuid REFERENCES customers,
    state          text NOT NULL DEFAULT 'new',
    -- Why it is refused, or why its undo is.
    refusal        text,
    plan_before    text,
    ends_before    timestamptz,
    plan_after     text,
    ends_after     timestamptz,
    action_id      uuid REFERENCES entitlement_actions,
    undo_action_id uuid REFERENCES entitlement_actions,
    PRIMARY KEY (job_id, line),
    CONSTRAINT state_is_known CHECK (state IN (
        'new', 'ready', 'not_found', 'ambiguous', 'repeated', 'refused', 'applied', 'skipped', 'undone', 'kept')),
    CONSTRAINT what_is_applied_names_its_action CHECK (
        (state IN ('applied', 'undone', 'kept')) = (action_id IS NOT NULL)),
    CONSTRAINT what_is_undone_names_its_action CHECK ((state = 'undone') = (undo_action_id IS NOT NULL))
);
CREATE INDEX bulk_rows_by_state ON bulk_rows (job_id, state, line);
CREATE UNIQUE INDEX one_line_per_customer ON bulk_rows (job_id, customer_id)
    WHERE state NOT IN ('new', 'not_found', 'ambiguous', 'repeated');
