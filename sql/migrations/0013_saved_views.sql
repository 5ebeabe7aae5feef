-- Lists that somebody gave a name: filters, order and columns as the list's address has them.
CREATE TABLE saved_views (
    id         uuid PRIMARY KEY,
    app_id     uuid NOT NULL REFERENCES apps,
    staff_id   uuid NOT NULL REFERENCES staff,
    list       text NOT NULL,
    name       text NOT NULL,
    query      text NOT NULL,
    columns    text NOT NULL,
    is_shared  boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT list_is_known CHECK (list IN ('orders', 'customers', 'subscriptions', 'refunds', 'notifications')),
    CONSTRAINT a_view_has_a_short_name CHECK (length(name) BETWEEN 1 AND 60 AND name ~ '\S'),
    CONSTRAINT a_query_fits_into_an_address CHECK (length(query) <= 2000),
    CONSTRAINT columns_are_named CHECK (columns ~ '^(all|-|[a-z_]+([.][a-z_]+)*)$'),
    CONSTRAINT one_view_per_name UNIQUE (app_id, staff_id, list, name)
);
CREATE INDEX saved_views_of_list ON saved_views (app_id, list, name, id);

-- The columns that a person chose for a list; without a row all of them are shown.
CREATE TABLE list_columns (
    staff_id   uuid NOT NULL REFERENCES staff,
    list       text NOT NULL,
    columns    text NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (staff_id, list),
    CONSTRAINT list_is_known CHECK (list IN ('orders', 'customers', 'subscriptions', 'refunds', 'notifications')),
    CONSTRAINT columns_are_named CHECK (columns ~ '^(all|-|[a-z_]+([.][a-z_]+)*)$')
);

-- The list that a job's customers were taken from; `origin` has the view's name then.
ALTER TABLE bulk_jobs
    ADD COLUMN origin_list text,
    ADD CONSTRAINT a_list_is_of_customers CHECK (origin_list IN ('customers', 'subscriptions')),
    ADD CONSTRAINT a_view_has_a_name CHECK (origin_list IS NULL OR origin IS NOT NULL);
