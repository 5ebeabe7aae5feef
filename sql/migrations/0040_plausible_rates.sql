-- Beyond these, amounts in another currency fit no number. Rates that were kept before are left as they are.
ALTER TABLE exchange_rates
    ADD CONSTRAINT a_rate_is_plausible CHECK (per_euro BETWEEN 0.000001 AND 1000000000) NOT VALID;
