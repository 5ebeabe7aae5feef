-- What has to be added to the rollups for them to say what the ledger and the events say (docs/metrics.md, "How it is kept"). It is found
-- in one snapshot, beside everybody who writes, and added in pieces: a sum that was wrong by so much is wrong by as much after whatever
-- was added to it since.
CREATE TABLE rollup_corrections (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id       uuid NOT NULL REFERENCES apps,
    level        text NOT NULL CONSTRAINT level_is_known CHECK (level IN ('cell', 'month', 'day', 'customer')),
    measure      text NOT NULL,
    environment  text NOT NULL,
    -- Of a month its first day.
    day          date NOT NULL,
    dimension    smallint NOT NULL,
    product_id   uuid,
    country      text NOT NULL,
    -- Of a day.
    store        text NOT NULL,
    currency     text NOT NULL,
    -- Of a month and of a day the first day of the month.
    recorded_on  date NOT NULL,
    customer_id  uuid,
    effective_at timestamptz NOT NULL,
    amount       bigint NOT NULL,
    count        bigint NOT NULL,
    CONSTRAINT customers_have_their_own CHECK ((level = 'customer') = (customer_id IS NOT NULL))
);

-- Of two servers that count an app again at once, one finds that the other was faster.
CREATE TABLE rollup_recounts (
    app_id       uuid PRIMARY KEY REFERENCES apps,
    turn         bigint NOT NULL,
    recounted_at timestamptz NOT NULL
);
