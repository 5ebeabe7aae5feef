-- What the store says of the next renewal: when, under which offer, and whether the customer has agreed to a higher price. What the whole
-- of a commitment costs is no charge: each of its periods is one.
ALTER TABLE subscriptions
    ADD COLUMN renews_at timestamptz,
    ADD COLUMN renewal_offer_kind text,
    ADD COLUMN renewal_offer_id text,
    ADD COLUMN renewal_offer_discount text,
    ADD COLUMN renewal_offer_period text,
    ADD COLUMN price_consent text,
    ADD COLUMN win_back_offer_ids text[] NOT NULL DEFAULT '{}',
    ADD COLUMN commitment_price bigint,
    ADD COLUMN commitment_currency text,
    ADD CONSTRAINT renewal_offer_kind_is_known CHECK (renewal_offer_kind IN ('introductory', 'promotional', 'code', 'winBack')),
    ADD CONSTRAINT renewal_offer_discount_is_known
        CHECK (renewal_offer_discount IN ('free_trial', 'pay_as_you_go', 'pay_up_front', 'one_time')),
    ADD CONSTRAINT price_consent_is_known CHECK (price_consent IN ('pending', 'accepted')),
    ADD CONSTRAINT commitment_price_has_a_currency CHECK ((commitment_price IS NULL) = (commitment_currency IS NULL)),
    ADD CONSTRAINT only_commitments_have_a_price CHECK (is_committed OR commitment_price IS NULL);
