-- A store need not say which product is used up (Google): the catalogue does, and what is used up gives no access.
ALTER TABLE products
    ADD COLUMN is_consumable boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT a_consumable_lasts_for_no_time
        CHECK (NOT is_consumable OR period_count IS NULL AND trial_count IS NULL);
