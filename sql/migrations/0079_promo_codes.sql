-- Codes that give a plan for a time, made together: what they give, where they are handed out, and how often they can be redeemed.
CREATE TABLE promo_batches (
    id                uuid PRIMARY KEY,
    app_id            uuid NOT NULL REFERENCES apps,
    -- As customers read it.
    name              text NOT NULL,
    -- Where the codes are handed out: a fair, a partner, a newsletter.
    channel           text NOT NULL,
    plan_id           uuid NOT NULL REFERENCES plans,
    days              integer NOT NULL,
    code_count        integer NOT NULL,
    uses_per_code     integer NOT NULL,
    uses_per_customer integer NOT NULL,
    -- NULL for at once.
    starts_at         timestamptz,
    -- Exclusive; NULL for no end.
    expires_at        timestamptz,
    created_by        uuid REFERENCES staff,
    created_as        text NOT NULL,
    created_at        timestamptz NOT NULL,
    -- Nothing of it can be redeemed while it is stopped.
    stopped_at        timestamptz,
    stopped_as        text,
    CONSTRAINT name_has_1_to_100_characters CHECK (char_length(name) BETWEEN 1 AND 100),
    CONSTRAINT channel_has_1_to_50_characters CHECK (char_length(channel) BETWEEN 1 AND 50),
    CONSTRAINT days_are_from_1_to_3650 CHECK (days BETWEEN 1 AND 3650),
    CONSTRAINT codes_are_from_1_to_100000 CHECK (code_count BETWEEN 1 AND 100000),
    CONSTRAINT uses_are_from_1_to_1000000 CHECK (uses_per_code BETWEEN 1 AND 1000000),
    CONSTRAINT uses_per_customer_are_from_1_to_100 CHECK (uses_per_customer BETWEEN 1 AND 100),
    CONSTRAINT a_batch_expires_after_it_starts CHECK (expires_at > starts_at),
    CONSTRAINT a_stop_says_who CHECK ((stopped_at IS NULL) = (stopped_as IS NULL))
);
CREATE INDEX promo_batches_newest_first ON promo_batches (app_id, created_at DESC, id DESC);

-- A code is kept as a keyed hash alone: it is made of the installation's secret, its batch and its number, so whoever has the secret can
-- write it out again, and whoever has this table can not.
CREATE TABLE promo_codes (
    batch_id  uuid NOT NULL REFERENCES promo_batches,
    -- Counts from 1 in its batch.
    number    integer NOT NULL,
    code_hash bytea NOT NULL,
    uses      integer NOT NULL DEFAULT 0,
    -- The batch's uses per code.
    max_uses  integer NOT NULL,
    PRIMARY KEY (batch_id, number),
    CONSTRAINT one_promo_code_per_hash UNIQUE (code_hash),
    CONSTRAINT code_is_kept_as_a_hash CHECK (octet_length(code_hash) = 32),
    CONSTRAINT codes_count_from_one CHECK (number >= 1),
    CONSTRAINT a_code_is_redeemed_no_more_than_it_can_be CHECK (uses BETWEEN 0 AND max_uses)
) WITH (fillfactor = 90);

-- Who redeemed what, and the grant that it came to. A use of a code and a use of a customer have a number each, so that neither is made
-- twice, whoever comes at the same time.
CREATE TABLE promo_redemptions (
    id              uuid PRIMARY KEY,
    batch_id        uuid NOT NULL,
    code_number     integer NOT NULL,
    -- Of the code, from 1.
    use_number      integer NOT NULL,
    customer_id     uuid NOT NULL REFERENCES customers,
    -- Of the customer's redemptions of the batch, from 1.
    customer_number integer NOT NULL,
    grant_id        uuid NOT NULL REFERENCES grants,
    redeemed_at     timestamptz NOT NULL,
    FOREIGN KEY (batch_id, code_number) REFERENCES promo_codes,
    CONSTRAINT a_use_of_a_code_is_made_once UNIQUE (batch_id, code_number, use_number),
    CONSTRAINT a_customer_redeems_a_code_once UNIQUE (customer_id, batch_id, code_number),
    CONSTRAINT a_use_of_a_customer_is_made_once UNIQUE (customer_id, batch_id, customer_number),
    CONSTRAINT a_grant_is_of_one_redemption UNIQUE (grant_id),
    CONSTRAINT uses_count_from_one CHECK (use_number >= 1 AND customer_number >= 1)
);
CREATE INDEX promo_redemptions_newest_first ON promo_redemptions (batch_id, redeemed_at DESC, id DESC);
