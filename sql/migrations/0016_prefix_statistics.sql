-- Without these the planner takes every beginning of a name or an address for that of half a percent of all customers,
-- and walks through all of them to find the few that there are.
CREATE STATISTICS customers_by_beginning ON (search_key(name)), (search_key(email)) FROM customers;

DO $$
BEGIN
    -- Where there is nobody yet, it will be done when there is somebody.
    IF EXISTS (SELECT FROM customers) THEN
        ANALYZE customers;
    END IF;
END
$$;
