-- Whether a customer lets us tell their store how they used what they bought. What was said last holds; nothing is ever changed but
-- whose it is, when two customers turn out to be one.
CREATE TABLE consumption_consents (
    id           uuid PRIMARY KEY,
    customer_id  uuid NOT NULL REFERENCES customers,
    is_given     boolean NOT NULL,
    -- The app, for its customer, or staff, who say why.
    source       text NOT NULL,
    recorded_by  uuid REFERENCES staff,
    recorded_as  text NOT NULL,
    recorded_at  timestamptz NOT NULL,
    reason       text,
    CONSTRAINT source_is_known CHECK (source IN ('app', 'staff')),
    CONSTRAINT staff_say_why CHECK (source <> 'staff' OR reason IS NOT NULL AND reason <> '')
);
CREATE INDEX consumption_consents_of_a_customer ON consumption_consents (customer_id, recorded_at DESC, id DESC);
CREATE TRIGGER consents_are_never_changed
    BEFORE UPDATE OF id, is_given, source, recorded_by, recorded_as, recorded_at, reason OR DELETE ON consumption_consents
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What an app answers a store that asks about a refund: the first rule whose conditions all hold.
ALTER TABLE apps
    ADD COLUMN consumption_sending text NOT NULL DEFAULT 'deadline',
    ADD COLUMN consumption_samples boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT consumption_sending_is_known CHECK (consumption_sending IN ('automatic', 'deadline'));

CREATE TABLE consumption_rules (
    app_id             uuid NOT NULL REFERENCES apps,
    position           smallint NOT NULL,
    name               text NOT NULL,
    plan_code          text,
    -- Whole days since the purchase; refunds of other orders in two years; the share of the paid period that has passed.
    age_from           integer,
    age_to             integer,
    refunds_from       integer,
    refunds_to         integer,
    used_percent_from  integer,
    used_percent_to    integer,
    refund_preference  text NOT NULL,
    -- Of what does not renew, in thousandths of a percent.
    consumption_percentage  integer,
    PRIMARY KEY (app_id, position),
    CONSTRAINT rules_are_counted_from_one CHECK (position >= 1),
    CONSTRAINT a_rule_has_a_name CHECK (name <> ''),
    CONSTRAINT refund_preference_is_known CHECK (refund_preference IN ('GRANT_FULL', 'GRANT_PRORATED', 'DECLINE')),
    CONSTRAINT conditions_are_ranges CHECK (age_from >= 0 AND age_to >= 0 AND refunds_from >= 0 AND refunds_to >= 0
        AND used_percent_from BETWEEN 0 AND 100 AND used_percent_to BETWEEN 0 AND 100
        AND age_from <= age_to AND refunds_from <= refunds_to AND used_percent_from <= used_percent_to),
    CONSTRAINT consumption_percentage_is_a_share CHECK (consumption_percentage BETWEEN 0 AND 100000)
);

-- What a store is told about a case: committed before it is sent, so that it is sent at least once.
CREATE TABLE consumption_answers (
    refund_request_id  uuid PRIMARY KEY REFERENCES refund_requests,
    state              text NOT NULL,
    -- nil where the app's rules know none.
    refund_preference  text,
    -- The rule that it is from; nil where staff decided.
    rule_position      smallint,
    rule_name          text,
    consumption_percentage  integer,
    sample_content     boolean NOT NULL,
    decided_at         timestamptz NOT NULL,
    -- Why nothing is sent.
    withheld_because   text,
    sent_at            timestamptz,
    -- What the store said of it, where it did not take it.
    error_code         bigint,
    error              text,
    CONSTRAINT state_is_known CHECK (state IN ('sending', 'sent', 'refused', 'withheld')),
    CONSTRAINT refund_preference_is_known CHECK (refund_preference IN ('GRANT_FULL', 'GRANT_PRORATED', 'DECLINE')),
    CONSTRAINT what_is_sent_is_an_answer CHECK (state = 'withheld' OR refund_preference IS NOT NULL),
    CONSTRAINT what_is_withheld_says_why CHECK ((state = 'withheld') = (withheld_because IS NOT NULL)
        AND withheld_because IN ('no_rule', 'no_consent', 'no_percentage', 'too_late', 'no_key')),
    CONSTRAINT what_was_sent_says_when CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
    CONSTRAINT what_was_refused_says_why CHECK (state <> 'refused' OR error IS NOT NULL),
    CONSTRAINT a_rule_has_position_and_name CHECK ((rule_position IS NULL) = (rule_name IS NULL))
);
