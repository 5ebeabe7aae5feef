-- How often callers of an app may call, where its catalogue says other than the installation. Addresses are the installation's.
CREATE TABLE app_rate_limits (
    app_id uuid NOT NULL REFERENCES apps,
    policy text NOT NULL,
    calls bigint NOT NULL,
    seconds bigint NOT NULL,
    PRIMARY KEY (app_id, policy),
    CONSTRAINT policy_is_of_an_app CHECK (policy IN ('session', 'customer', 'key', 'receipts')),
    CONSTRAINT calls_are_one_to_a_million CHECK (calls BETWEEN 1 AND 1000000),
    CONSTRAINT seconds_are_one_to_a_day CHECK (seconds BETWEEN 1 AND 86400)
);
