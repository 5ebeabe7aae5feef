-- What an order says of its purchase beside money: how many, and under which offer. Its kind, its end and whose it is are functions of
-- the subscription's history, so they may turn out otherwise when a message arrives late.

ALTER TABLE orders
    ADD COLUMN quantity integer NOT NULL DEFAULT 1,
    ADD COLUMN offer_kind text,
    ADD COLUMN offer_id text,
    -- A period that costs nothing under an offer.
    ADD COLUMN is_trial boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT quantity_is_above_zero CHECK (quantity > 0),
    ADD CONSTRAINT offer_kind_is_known CHECK (offer_kind IN ('introductory', 'promotional', 'code', 'winBack'));

-- Known since the events are: of each transaction the first that tells of it.
UPDATE orders o
SET quantity = greatest(1, least(1000000, coalesce((e.transaction ->> 'quantity')::numeric, 1)))::integer,
    offer_kind = e.transaction #>> '{offer,kind}',
    offer_id = e.transaction #>> '{offer,identifier}',
    is_trial = coalesce((e.transaction #>> '{offer,isFreeTrial}')::boolean, false)
FROM (
    SELECT DISTINCT ON (subscription_id, event #>> '{transaction,id}') subscription_id, event -> 'transaction' AS transaction
    FROM subscription_events
    WHERE rejection_reason IS NULL AND (event #> '{transaction,offer}' IS NOT NULL OR event #>> '{transaction,quantity}' <> '1')
    ORDER BY subscription_id, event #>> '{transaction,id}', signed_at, event_id
) e
WHERE o.subscription_id = e.subscription_id AND o.transaction_id = e.transaction ->> 'id';

-- A row of the ledger is never changed but for the word for its charge: that it was an upgrade may become known after it was booked as a
-- purchase. No sum depends on that word.
CREATE FUNCTION refuse_changed_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.kind <> NEW.kind AND is_charge(OLD.kind) AND is_charge(NEW.kind)
        AND to_jsonb(OLD) - 'kind' = to_jsonb(NEW) - 'kind' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

DROP TRIGGER ledger_rows_are_never_changed ON ledger_entries;
CREATE TRIGGER ledger_rows_are_never_changed BEFORE DELETE OR UPDATE ON ledger_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_changed_entry();
