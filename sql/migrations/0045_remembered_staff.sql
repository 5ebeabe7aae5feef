-- Servers remember for seconds who is signed in, with which app and with what waits there. Whatever that is made of says on the
-- channel `staff` that it has changed, when it is committed, so that every server forgets.

CREATE FUNCTION forget_staff() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('staff', TG_TABLE_NAME);
    RETURN NULL;
END;
$$;

CREATE TRIGGER servers_forget_sessions AFTER UPDATE OF token_hash, staff_id, app_id, authenticated_at, expires_at OR DELETE ON staff_sessions
    FOR EACH STATEMENT EXECUTE FUNCTION forget_staff();
CREATE TRIGGER servers_forget_keys AFTER UPDATE OF token_hash, staff_id, scopes, expires_at, revoked_at OR DELETE ON staff_tokens
    FOR EACH STATEMENT EXECUTE FUNCTION forget_staff();
CREATE TRIGGER servers_forget_accounts AFTER UPDATE OR DELETE ON staff
    FOR EACH STATEMENT EXECUTE FUNCTION forget_staff();
CREATE TRIGGER servers_forget_what_is_visible AFTER INSERT OR UPDATE OR DELETE ON staff_apps
    FOR EACH STATEMENT EXECUTE FUNCTION forget_staff();
CREATE TRIGGER servers_forget_apps AFTER INSERT OR UPDATE OR DELETE ON apps
    FOR EACH STATEMENT EXECUTE FUNCTION forget_staff();

-- What waits: refund requests for a decision, notifications that failed.
CREATE TRIGGER servers_forget_new_requests AFTER INSERT ON refund_requests
    FOR EACH STATEMENT EXECUTE FUNCTION forget_staff();
CREATE TRIGGER servers_forget_decisions AFTER UPDATE OF status ON refund_requests
    FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION forget_staff();
CREATE TRIGGER servers_forget_what_was_refused AFTER INSERT ON store_notifications
    FOR EACH ROW WHEN (NEW.state = 'failed') EXECUTE FUNCTION forget_staff();
CREATE TRIGGER servers_forget_failures AFTER UPDATE OF state ON store_notifications
    FOR EACH ROW WHEN ((OLD.state = 'failed') <> (NEW.state = 'failed')) EXECUTE FUNCTION forget_staff();
