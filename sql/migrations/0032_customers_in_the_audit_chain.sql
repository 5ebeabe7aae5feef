-- The links until now left out whom an entry is about. They stay as they are and are checked as they were made; from here on a
-- link covers every column, and says at its beginning of which version it is.
ALTER TABLE audit_chain ADD COLUMN version smallint NOT NULL DEFAULT 1
    CONSTRAINT a_link_has_a_known_version CHECK (version IN (1, 2));
ALTER TABLE audit_chain ALTER COLUMN version DROP DEFAULT;

-- What the hash of an entry covers: the link's version and number, and every column, the moment in microseconds since 1970.
CREATE OR REPLACE FUNCTION audit_content(number bigint, entry audit_entries) RETURNS bytea LANGUAGE sql STABLE
    RETURN convert_to(
        netstring('2') || netstring(number::text) || netstring(entry.id::text)
            || netstring((extract(epoch FROM entry.at) * 1000000)::bigint::text) || netstring(entry.app_id::text)
            || netstring(entry.staff_id::text) || netstring(entry.actor) || netstring(entry.role)
            || netstring(entry.action) || netstring(entry.object_type) || netstring(entry.object_id)
            || netstring(entry.before::text) || netstring(entry.after::text) || netstring(entry.reason)
            || netstring(entry.request_id) || netstring(entry.address) || netstring(entry.customer_id::text),
        'UTF8');

-- Runs at commit, not at the insert: writers wait for each other only while they commit.
CREATE OR REPLACE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    head audit_head;
BEGIN
    SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
    head.number := head.number + 1;
    head.hash := sha256(head.hash || audit_content(head.number, NEW));
    INSERT INTO audit_chain (number, entry_id, hash, version) VALUES (head.number, NEW.id, head.hash, 2);
    UPDATE audit_head SET number = head.number, hash = head.hash;
    RETURN NULL;
END $$;
