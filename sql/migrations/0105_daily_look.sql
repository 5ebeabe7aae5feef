-- What runs is asked about once a day, those longest unheard of first: a store has changed a plan without a word.
CREATE INDEX subscriptions_to_look_at
    ON subscriptions (app_id, store, environment, greatest(last_signed_at, checked_at), id)
    WHERE state IN ('trial', 'active', 'grace_period', 'cancelled');
