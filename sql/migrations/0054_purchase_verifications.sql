-- What apps sent to prove purchases, one row a customer and proof, however often it is sent.
CREATE TABLE purchase_verifications (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    customer_id uuid NOT NULL REFERENCES customers,
    store text NOT NULL,
    form text NOT NULL,
    -- What was signed, the receipt, or the id.
    proof text[] NOT NULL,
    digest bytea NOT NULL,
    environment text,
    state text NOT NULL,
    -- Why it was rejected, or what keeps it waiting.
    problem text,
    requested_at timestamptz NOT NULL,
    -- When the store was asked last.
    asked_at timestamptz,
    -- Until when what is not confirmed gives access.
    provisional_until timestamptz,
    finished_at timestamptz,
    CONSTRAINT one_verification_per_proof UNIQUE (app_id, customer_id, digest),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT form_is_known CHECK (form IN ('signed_transactions', 'receipt', 'transaction_id')),
    CONSTRAINT a_proof_is_something CHECK (cardinality(proof) >= 1),
    CONSTRAINT digest_is_a_sha_256 CHECK (octet_length(digest) = 32),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT state_is_known CHECK (state IN ('pending', 'provisional', 'verified', 'rejected')),
    CONSTRAINT what_is_final_has_a_moment CHECK ((state IN ('verified', 'rejected')) = (finished_at IS NOT NULL)),
    CONSTRAINT what_is_rejected_has_a_reason CHECK (state <> 'rejected' OR problem IS NOT NULL)
);

CREATE INDEX purchase_verifications_of_a_customer ON purchase_verifications (customer_id, requested_at DESC, id DESC);
CREATE INDEX purchase_verifications_that_wait ON purchase_verifications (app_id, requested_at)
    WHERE state IN ('pending', 'provisional');

-- Whose a purchase is said to be, by whoever sent its proof.
CREATE TABLE purchase_claims (
    subscription_id uuid NOT NULL REFERENCES subscriptions,
    customer_id uuid NOT NULL REFERENCES customers,
    verification_id uuid NOT NULL REFERENCES purchase_verifications,
    outcome text NOT NULL,
    claimed_at timestamptz NOT NULL,
    PRIMARY KEY (subscription_id, customer_id),
    CONSTRAINT outcome_is_known CHECK (outcome IN ('held', 'joined', 'refused'))
);

CREATE INDEX purchase_claims_of_a_customer ON purchase_claims (customer_id);
CREATE INDEX purchase_claims_of_a_verification ON purchase_claims (verification_id);

-- The accounts at the store that installed the app, and who used it with them (Apple: appTransactionId).
CREATE TABLE app_transactions (
    app_id uuid NOT NULL REFERENCES apps,
    environment text NOT NULL,
    app_transaction_id text NOT NULL,
    customer_id uuid NOT NULL REFERENCES customers,
    first_seen_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, environment, app_transaction_id, customer_id),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT id_is_not_empty CHECK (app_transaction_id <> '')
);

CREATE INDEX app_transactions_of_a_customer ON app_transactions (customer_id);

-- Access until the store confirms what its signature proves.
ALTER TABLE grants
    ADD COLUMN verification_id uuid REFERENCES purchase_verifications,
    DROP CONSTRAINT kind_is_known,
    ADD CONSTRAINT kind_is_known CHECK (kind IN ('complimentary', 'extension', 'upgrade', 'provisional')),
    ADD CONSTRAINT provisional_access_names_its_verification CHECK ((kind = 'provisional') = (verification_id IS NOT NULL));

CREATE INDEX grants_of_a_verification ON grants (verification_id) WHERE verification_id IS NOT NULL;
