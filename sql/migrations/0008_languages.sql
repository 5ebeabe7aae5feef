-- What people choose for themselves; without a language the browser's counts.
ALTER TABLE staff
    ADD COLUMN language text,
    ADD COLUMN shortcuts boolean NOT NULL DEFAULT true,
    ADD CONSTRAINT language_is_known CHECK (language IN ('en', 'zh-Hans', 'tr'));
