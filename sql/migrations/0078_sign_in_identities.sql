-- What a customer calls themselves and shows of themselves; name and email are there already.
ALTER TABLE customers ADD COLUMN avatar_url text;

-- When the customer had their account deleted. What they bought stays in the books, under an id that names nobody.
ALTER TABLE customers ADD COLUMN deleted_at timestamptz;
ALTER TABLE customers ADD CONSTRAINT a_deleted_customer_is_named_by_nothing
    CHECK (deleted_at IS NULL OR num_nonnulls(external_id, name, email, avatar_url) = 0);

-- Who a customer is at a provider that they sign in with.
CREATE TABLE sign_in_identities (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    -- Who linked it; who that has become since says customers.merged_into.
    customer_id uuid NOT NULL REFERENCES customers,
    provider text NOT NULL,
    -- Which of the app's ids at the provider they signed in to last.
    client_id text NOT NULL,
    -- What the provider said last.
    email text,
    name text,
    avatar_url text,
    -- Apple's, sealed for this row with the installation's secret: ends the sign-in there.
    sealed_refresh_token bytea,
    created_at timestamptz NOT NULL,
    last_sign_in_at timestamptz NOT NULL,
    CONSTRAINT provider_is_known CHECK (provider IN ('apple', 'wechat', 'alipay')),
    CONSTRAINT nobody_signs_in_before_they_are_known CHECK (last_sign_in_at >= created_at)
);

CREATE INDEX sign_in_identities_of_a_customer ON sign_in_identities (customer_id, created_at, id);

-- What the provider calls them: one name, or several for the same person (WeChat's unionid and openids).
CREATE TABLE sign_in_subjects (
    app_id uuid NOT NULL REFERENCES apps,
    provider text NOT NULL,
    subject text NOT NULL,
    identity_id uuid NOT NULL REFERENCES sign_in_identities ON DELETE CASCADE,
    CONSTRAINT a_subject_is_one_person PRIMARY KEY (app_id, provider, subject),
    CONSTRAINT provider_is_known CHECK (provider IN ('apple', 'wechat', 'alipay')),
    CONSTRAINT a_subject_has_a_name CHECK (octet_length(subject) BETWEEN 1 AND 255)
);

CREATE INDEX sign_in_subjects_of_an_identity ON sign_in_subjects (identity_id);

-- An identified customer who signed in with what belongs to another one: people look at it.
CREATE TABLE refused_links (
    identity_id uuid NOT NULL REFERENCES sign_in_identities ON DELETE CASCADE,
    customer_id uuid NOT NULL REFERENCES customers,
    refused_at timestamptz NOT NULL,
    PRIMARY KEY (identity_id, customer_id)
);

CREATE INDEX refused_links_of_a_customer ON refused_links (customer_id);

-- What somebody signed in with: codes, tokens and nonces are good once. SHA-256.
CREATE TABLE used_credentials (
    app_id uuid NOT NULL REFERENCES apps,
    digest bytea NOT NULL,
    used_at timestamptz NOT NULL,
    CONSTRAINT a_credential_is_used_once PRIMARY KEY (app_id, digest),
    CONSTRAINT a_digest_has_32_bytes CHECK (octet_length(digest) = 32)
);

CREATE INDEX used_credentials_by_age ON used_credentials (used_at);

-- A sign-in that is to be ended at its provider; the row goes when that is done. It names nobody.
CREATE TABLE sign_in_revocations (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    provider text NOT NULL,
    client_id text NOT NULL,
    -- Sealed for this row's id.
    sealed_refresh_token bytea NOT NULL,
    requested_at timestamptz NOT NULL,
    CONSTRAINT provider_is_known CHECK (provider IN ('apple', 'wechat', 'alipay'))
);

-- A deleted customer's lines are found.
CREATE INDEX bulk_job_items_of_a_customer ON bulk_job_items (customer_id) WHERE customer_id IS NOT NULL;

-- A note is withdrawn, moves with its customer into the record that theirs ends in, and is erased with their account; nothing else
-- of it changes.
CREATE OR REPLACE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL
        AND (to_jsonb(NEW) - 'withdrawn_at') = (to_jsonb(OLD) - 'withdrawn_at') THEN
        RETURN NEW;
    END IF;
    IF (to_jsonb(NEW) - 'customer_id') = (to_jsonb(OLD) - 'customer_id') THEN
        RETURN NEW;
    END IF;
    IF NEW.text = 'erased' AND NEW.withdrawn_at IS NOT NULL AND NEW.withdrawn_at = coalesce(OLD.withdrawn_at, NEW.withdrawn_at)
        AND (to_jsonb(NEW) - 'text' - 'withdrawn_at') = (to_jsonb(OLD) - 'text' - 'withdrawn_at')
        AND EXISTS (SELECT FROM customers WHERE id = NEW.customer_id AND deleted_at IS NOT NULL) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'notes are withdrawn, never rewritten'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;
