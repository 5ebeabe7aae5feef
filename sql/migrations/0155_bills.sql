-- Stores make a bill of each day. It is fetched and compared with the books, row by row.
CREATE TABLE daily_bills (
    id          uuid PRIMARY KEY,
    app_id      uuid NOT NULL REFERENCES apps,
    store       text NOT NULL,
    environment text NOT NULL,
    -- By the store's calendar.
    day         date NOT NULL,
    starts_at   timestamptz NOT NULL,
    ends_at     timestamptz NOT NULL,
    state       text NOT NULL,
    rows        integer NOT NULL DEFAULT 0,
    -- Lines that nobody can read, the first of them with their reasons.
    unreadable  text[] NOT NULL DEFAULT '{}',
    -- Why it could not be fetched the last time, in the store's words.
    problem     text,
    failures    integer NOT NULL DEFAULT 0,
    asked_at    timestamptz,
    fetched_at  timestamptz,
    -- When the store is to be asked for it; none once it is compared as a whole, or given up.
    next_at     timestamptz,
    CONSTRAINT one_bill_per_day UNIQUE (app_id, store, environment, day),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT state_is_known CHECK (state IN ('awaited', 'incomplete', 'compared', 'missing')),
    CONSTRAINT a_day_ends_after_it_starts CHECK (ends_at > starts_at),
    CONSTRAINT rows_and_failures_are_counted_from_zero CHECK (rows >= 0 AND failures >= 0),
    CONSTRAINT what_is_fetched_says_when CHECK ((state IN ('incomplete', 'compared')) = (fetched_at IS NOT NULL)),
    CONSTRAINT what_is_awaited_is_asked_for CHECK (state <> 'awaited' OR next_at IS NOT NULL),
    CONSTRAINT what_is_over_is_not_asked_for CHECK (state NOT IN ('compared', 'missing') OR next_at IS NULL)
);
CREATE INDEX daily_bills_newest_first ON daily_bills (app_id, day DESC, id DESC);
CREATE INDEX daily_bills_to_fetch ON daily_bills (app_id, store, environment, next_at) WHERE next_at IS NOT NULL;

CREATE TABLE bill_rows (
    bill_id        uuid NOT NULL REFERENCES daily_bills ON DELETE CASCADE,
    place          integer NOT NULL,
    app_id         uuid NOT NULL REFERENCES apps,
    store          text NOT NULL,
    environment    text NOT NULL,
    kind           text NOT NULL,
    -- As the store has it: of an order that nobody here may know.
    order_number   text NOT NULL,
    transaction_id text NOT NULL,
    refund_number  text,
    amount         bigint NOT NULL,
    currency       text NOT NULL,
    fee            bigint,
    at             timestamptz NOT NULL,
    CONSTRAINT one_row_per_place PRIMARY KEY (bill_id, place),
    CONSTRAINT kind_is_known CHECK (kind IN ('payment', 'refund')),
    CONSTRAINT amount_is_not_negative CHECK (amount >= 0),
    CONSTRAINT currency_is_iso_4217 CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT only_refunds_have_a_refund_number CHECK (kind = 'refund' OR refund_number IS NULL)
);
CREATE INDEX bill_rows_by_transaction ON bill_rows (app_id, store, environment, transaction_id);

-- Rows in which a bill and the books differ, each once for what it is.
CREATE TABLE bill_differences (
    id             uuid PRIMARY KEY,
    app_id         uuid NOT NULL REFERENCES apps,
    store          text NOT NULL,
    environment    text NOT NULL,
    bill_id        uuid NOT NULL REFERENCES daily_bills,
    kind           text NOT NULL,
    key            text NOT NULL,
    order_number   text,
    transaction_id text NOT NULL,
    refund_number  text,
    order_id       uuid REFERENCES orders,
    billed         bigint,
    booked         bigint,
    currency       text NOT NULL,
    at             timestamptz NOT NULL,
    found_at       timestamptz NOT NULL,
    closed_at      timestamptz,
    close_reason   text,
    -- Staff's words: of the last note, or why they closed it.
    note           text,
    noted_by       text,
    noted_at       timestamptz,
    CONSTRAINT one_difference_of_a_kind UNIQUE (app_id, store, environment, kind, key),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT kind_is_known CHECK (kind IN ('paid_there', 'paid_here', 'payment_amount', 'refunded_there', 'refunded_here', 'refund_amount')),
    CONSTRAINT currency_is_iso_4217 CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT each_side_says_what_it_has CHECK (
        (billed IS NULL) = (kind IN ('paid_here', 'refunded_here')) AND (booked IS NULL) = (kind IN ('paid_there', 'refunded_there'))),
    CONSTRAINT close_reason_is_known CHECK (close_reason IN ('explained', 'staff')),
    CONSTRAINT what_is_closed_says_why CHECK ((closed_at IS NULL) = (close_reason IS NULL)),
    CONSTRAINT a_note_says_who_and_when CHECK (
        (note IS NULL) = (noted_by IS NULL) AND (note IS NULL) = (noted_at IS NULL) AND (close_reason <> 'staff' OR note IS NOT NULL))
);
CREATE INDEX bill_differences_newest_first ON bill_differences (app_id, found_at DESC, id DESC);
CREATE INDEX open_bill_differences ON bill_differences (app_id, found_at DESC, id DESC) WHERE closed_at IS NULL;
CREATE INDEX bill_differences_of_a_bill ON bill_differences (bill_id);
