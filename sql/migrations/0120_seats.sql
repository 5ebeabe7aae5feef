-- Subscriptions are sold by seats (App Store Server API 1.23). Somebody else pays for a seat that is assigned, as for what a family
-- shares; several transactions of one period are one subscription.
ALTER TABLE subscriptions
    ADD COLUMN is_assigned boolean NOT NULL DEFAULT false,
    ADD COLUMN seats integer,
    ADD COLUMN revoked_seats integer,
    ADD COLUMN renewal_seats integer,
    ADD COLUMN seat_invitations text,
    ADD COLUMN reread_since timestamptz,
    ADD CONSTRAINT an_assigned_seat_is_paid_by_somebody_else CHECK (is_family_shared OR NOT is_assigned),
    ADD CONSTRAINT seats_are_counted_from_one CHECK (seats > 0 AND renewal_seats > 0),
    ADD CONSTRAINT only_seats_are_revoked CHECK (
        (seats IS NULL) = (revoked_seats IS NULL) AND (revoked_seats IS NULL OR revoked_seats BETWEEN 0 AND seats)),
    ADD CONSTRAINT who_invites_is_known CHECK (seat_invitations IN ('store', 'app'));

COMMENT ON COLUMN subscriptions.is_family_shared IS 'Somebody else pays: a family shares it, or a seat was assigned.';
COMMENT ON COLUMN subscriptions.reread_since IS 'Since when all transactions of its period are to be read at the store: what was told of one may hold for others.';
COMMENT ON COLUMN subscriptions.seats IS 'What all transactions of the current period paid for; NULL for what is not sold by seats.';

-- What the store gives back of some seats, of an order that stands for the others.
ALTER TABLE orders
    ADD COLUMN revoked_seats integer NOT NULL DEFAULT 0,
    ADD COLUMN refund_is_estimated boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT no_more_seats_are_revoked_than_were_bought CHECK (revoked_seats BETWEEN 0 AND quantity),
    ADD CONSTRAINT only_refunds_of_seats_are_estimated CHECK (revoked_seats > 0 OR NOT refund_is_estimated);

COMMENT ON COLUMN orders.refund_is_estimated IS 'The store has not said what the seats cost that it gave back: they count at the average.';
