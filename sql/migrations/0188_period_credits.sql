-- What the unused part of one bought period paid of the price of another, which ended it. The money stays with the first order and has
-- paid for the second period: whatever asks what a period is worth, or what is left of a charge, counts it once.
CREATE TABLE period_credits (
    -- The order from whose price it was taken off.
    upgrade_id  uuid NOT NULL REFERENCES orders,
    -- The order whose period ended.
    order_id    uuid NOT NULL REFERENCES orders,
    amount      bigint NOT NULL,
    -- The part that went back to the first order, because the second was given back in full.
    released    bigint NOT NULL DEFAULT 0,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (upgrade_id, order_id),
    CONSTRAINT something_is_credited CHECK (amount > 0),
    CONSTRAINT no_more_is_released_than_was_credited CHECK (released BETWEEN 0 AND amount),
    CONSTRAINT no_period_pays_for_itself CHECK (upgrade_id <> order_id)
);

CREATE INDEX period_credits_of_an_order ON period_credits (order_id);

-- Orders before this kept only the sum: it is laid on the periods that the payment ended, in the order of their start.
INSERT INTO period_credits (upgrade_id, order_id, amount, recorded_at)
SELECT upgrade_id, order_id, least(value, credit - before), settled_at
FROM (
    SELECT u.id AS upgrade_id, o.id AS order_id, k.credit, k.settled_at, o.amount - o.refunded AS value,
        coalesce(sum(o.amount - o.refunded) OVER (
            PARTITION BY k.id ORDER BY o.period_starts_at, o.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM checkouts k
    JOIN orders u ON u.app_id = k.app_id AND u.store = k.store AND u.environment = k.environment
        AND u.transaction_id = k.transaction_id AND u.joined_into IS NULL
    JOIN orders o ON o.customer_id = u.customer_id AND o.app_id = u.app_id AND o.environment = u.environment AND o.id <> u.id
        AND o.joined_into IS NULL AND o.currency = k.currency AND o.amount > o.refunded
        AND o.superseded_at BETWEEN u.period_starts_at - interval '1 second' AND u.period_starts_at + interval '1 second'
    WHERE k.credit > 0 AND k.settled_at IS NOT NULL
) found
WHERE before < credit;

-- What others paid of an order's period, and what its own has paid of others.
CREATE FUNCTION credit_in(of_order uuid) RETURNS bigint
    LANGUAGE sql STABLE
    RETURN (SELECT coalesce(sum(amount - released), 0)::bigint FROM period_credits WHERE upgrade_id = of_order);

CREATE FUNCTION credit_out(of_order uuid) RETURNS bigint
    LANGUAGE sql STABLE
    RETURN (SELECT coalesce(sum(amount - released), 0)::bigint FROM period_credits WHERE order_id = of_order);

-- What paid for another period is not left of a charge.
CREATE OR REPLACE FUNCTION check_approved_refunds() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    available bigint;
    granted bigint;
BEGIN
    -- What was approved stays approved, though the store may have given some of it back meanwhile.
    IF TG_OP = 'UPDATE' AND OLD.status = 'approved' AND OLD.approved_amount = NEW.approved_amount THEN
        RETURN NULL;
    END IF;
    SELECT CASE WHEN status IN ('pending', 'failed', 'cancelled') THEN 0
        ELSE amount - refunded - credited - greatest(0, credit_out(id) - credit_in(id)) END INTO available
    FROM orders WHERE id = NEW.order_id FOR NO KEY UPDATE;
    SELECT coalesce(sum(approved_amount), 0) INTO granted
    FROM refund_requests WHERE order_id = NEW.order_id AND status = 'approved';
    IF granted > available THEN
        RAISE EXCEPTION '% is approved of the %, but only % is left', granted, NEW.currency, available
            USING ERRCODE = 'check_violation', CONSTRAINT = 'approved_is_never_above_what_is_left',
                TABLE = 'refund_requests';
    END IF;
    RETURN NULL;
END $$;
