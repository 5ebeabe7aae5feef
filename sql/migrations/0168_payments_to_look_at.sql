-- A person has seen to what a store says of a payment; if it says something else, it waits again.
ALTER TABLE checkouts
    ADD COLUMN problem_seen_at timestamptz,
    ADD CONSTRAINT a_problem_is_seen_to CHECK (problem_seen_at IS NULL OR problem IS NOT NULL);

-- Payments that wait for people, the newest first.
CREATE INDEX checkouts_to_look_at ON checkouts (app_id, created_at DESC, id DESC) WHERE problem IS NOT NULL AND problem_seen_at IS NULL;
