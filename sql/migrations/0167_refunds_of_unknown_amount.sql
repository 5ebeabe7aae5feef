-- A payment that was found by asking, and of which its store says that some is back, and not how much: access is kept back until that is
-- known, by the refund's message or by the bill of its day.
ALTER TABLE checkouts
    ADD COLUMN has_unknown_refund boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT only_a_payment_is_given_back CHECK (NOT has_unknown_refund OR state = 'paid');
