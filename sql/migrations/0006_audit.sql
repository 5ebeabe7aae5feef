-- What staff did, tried and were refused. Appended, never changed.
CREATE TABLE audit_entries (
    id          uuid PRIMARY KEY,
    at          timestamptz NOT NULL,
    app_id      uuid REFERENCES apps,
    staff_id    uuid REFERENCES staff,
    -- Who it was in words, kept as it was then: an e-mail address, or the program that acted.
    actor       text NOT NULL,
    role        text,
    action      text NOT NULL,
    object_type text,
    object_id   text,
    before      jsonb,
    after       jsonb,
    reason      text,
    request_id  text,
    address     text
);
CREATE INDEX audit_entries_newest_first ON audit_entries (at DESC, id DESC);
CREATE INDEX audit_entries_by_object ON audit_entries (object_type, object_id, at DESC, id DESC);
CREATE INDEX audit_entries_by_staff ON audit_entries (staff_id, at DESC, id DESC);
CREATE TRIGGER audit_rows_are_never_changed BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER the_audit_is_never_emptied BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
