-- Extensions of renewal dates stand in one table, whoever requested them. One that was not requested here is known since the
-- store's summary of it (Apple: Extend Subscription Renewal Dates for All Active Subscribers), which does not say by how many days.
ALTER TABLE extension_requests
    ADD COLUMN request_identifier text,
    ADD COLUMN store_product_id text,
    ALTER COLUMN days DROP NOT NULL,
    ALTER COLUMN reason_code DROP NOT NULL,
    ALTER COLUMN reason DROP NOT NULL,
    ALTER COLUMN requested_as DROP NOT NULL,
    ALTER COLUMN requested_at DROP NOT NULL,
    DROP CONSTRAINT it_is_of_one_subscription_or_one_product,
    DROP CONSTRAINT storefronts_are_of_a_product;

UPDATE extension_requests x
SET request_identifier = x.id::text,
    store_product_id = (SELECT p.store_product_id FROM products p WHERE p.id = x.product_id);

UPDATE extension_requests x
SET state = 'succeeded', succeeded_count = e.succeeded_count, failed_count = e.failed_count, finished_at = e.completed_at,
    error = NULL, error_code = NULL
FROM renewal_extensions e
WHERE e.id = x.id AND e.completed_at IS NOT NULL AND x.state <> 'succeeded';

INSERT INTO extension_requests
    (id, app_id, store, environment, request_identifier, store_product_id, storefronts, state, succeeded_count, failed_count,
     finished_at)
SELECT id, app_id, store, environment, request_identifier, store_product_id, nullif(storefronts, '{}'), 'succeeded',
    succeeded_count, failed_count, completed_at
FROM renewal_extensions
WHERE requested_at IS NULL;

ALTER TABLE renewal_extension_failures DROP CONSTRAINT renewal_extension_failures_extension_id_fkey;
DROP TABLE renewal_extensions;

ALTER TABLE extension_requests RENAME TO renewal_extensions;
ALTER TABLE renewal_extensions
    DROP COLUMN product_id,
    ALTER COLUMN request_identifier SET NOT NULL,
    ADD CONSTRAINT an_extension_is_known_once UNIQUE (app_id, store, environment, request_identifier),
    ADD CONSTRAINT request_identifier_is_short CHECK (octet_length(request_identifier) BETWEEN 1 AND 255),
    ADD CONSTRAINT product_is_named CHECK (octet_length(store_product_id) BETWEEN 1 AND 255),
    ADD CONSTRAINT it_is_of_one_subscription_or_one_product CHECK ((subscription_id IS NULL) <> (store_product_id IS NULL)),
    ADD CONSTRAINT storefronts_are_of_a_product
        CHECK (storefronts IS NULL OR store_product_id IS NOT NULL AND cardinality(storefronts) > 0),
    ADD CONSTRAINT a_request_says_all
        CHECK (num_nulls(days, reason_code, reason, requested_as, requested_at) IN (0, 5)),
    ADD CONSTRAINT it_was_requested_or_summed_up
        CHECK (requested_at IS NOT NULL OR store_product_id IS NOT NULL AND state = 'succeeded'),
    ADD CONSTRAINT counts_are_not_negative CHECK (succeeded_count >= 0 AND failed_count >= 0);
ALTER INDEX extension_requests_pkey RENAME TO renewal_extensions_pkey;
ALTER TABLE renewal_extensions RENAME CONSTRAINT extension_requests_app_id_fkey TO renewal_extensions_app_id_fkey;
ALTER TABLE renewal_extensions RENAME CONSTRAINT extension_requests_requested_by_fkey TO renewal_extensions_requested_by_fkey;
ALTER TABLE renewal_extensions
    RENAME CONSTRAINT extension_requests_subscription_id_fkey TO renewal_extensions_subscription_id_fkey;

ALTER TABLE renewal_extension_failures
    ADD CONSTRAINT renewal_extension_failures_extension_id_fkey FOREIGN KEY (extension_id) REFERENCES renewal_extensions;

DROP INDEX extension_requests_of_an_app;
CREATE INDEX renewal_extensions_of_an_app ON renewal_extensions (app_id, coalesce(requested_at, finished_at) DESC, id DESC);
ALTER INDEX extension_requests_of_a_subscription RENAME TO renewal_extensions_of_a_subscription;
CREATE INDEX renewal_extensions_of_a_product ON renewal_extensions (app_id, store, environment, store_product_id, finished_at)
    WHERE store_product_id IS NOT NULL;
