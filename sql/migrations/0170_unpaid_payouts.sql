-- A store that was asked to pay a refund, and has said for a day that it knows of none under its number, holds nobody up any more: people pay
-- it by hand, or have it sent again. Rows that are `sent` begin to count with the next answer.
ALTER TABLE refund_payouts
    -- The first of the store's answers in a row that know of no refund under the number.
    ADD COLUMN unpaid_since timestamptz,
    -- When the store was last asked to pay it to another account than the customer's, which takes nothing.
    ADD COLUMN settled_at timestamptz,
    DROP CONSTRAINT state_is_known,
    DROP CONSTRAINT what_was_sent_says_when,
    ADD CONSTRAINT state_is_known CHECK (
        state IN ('waiting', 'sent', 'unpaid', 'processing', 'paid', 'closed', 'abnormal', 'refused', 'withdrawn')),
    ADD CONSTRAINT what_was_sent_says_when CHECK (state NOT IN ('sent', 'unpaid') OR sent_at IS NOT NULL),
    ADD CONSTRAINT what_is_unpaid_says_since_when CHECK (state <> 'unpaid' OR unpaid_since IS NOT NULL);
ALTER TABLE refund_payout_steps
    DROP CONSTRAINT state_is_known,
    ADD CONSTRAINT state_is_known CHECK (
        state IN ('waiting', 'sent', 'unpaid', 'processing', 'paid', 'closed', 'abnormal', 'refused', 'withdrawn'));
