-- A server of an earlier version that still runs beside this one opens orders without what they sell: it is the product's of that moment.
CREATE FUNCTION fill_checkout_offer() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT coalesce(NEW.plan_code, l.code), coalesce(NEW.period_count, p.period_count, 1), coalesce(NEW.period_unit, p.period_unit, 'month')
    INTO NEW.plan_code, NEW.period_count, NEW.period_unit
    FROM products p
    JOIN plans l ON l.id = p.plan_id
    WHERE p.id = NEW.product_id;
    RETURN NEW;
END $$;

CREATE TRIGGER an_order_knows_what_it_sells BEFORE INSERT ON checkouts
    FOR EACH ROW WHEN (NEW.plan_code IS NULL OR NEW.period_count IS NULL OR NEW.period_unit IS NULL)
    EXECUTE FUNCTION fill_checkout_offer();
