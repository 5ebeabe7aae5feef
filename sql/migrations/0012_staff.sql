-- Who may work where, how they prove who they are, and a log that shows when somebody touched it.

-- ------------------------------------------------------------------------------------------------ the audit chain

-- One link per audit entry, in the order in which they were committed. The hash of a link is the SHA-256 of the hash before
-- it and of audit_content: whoever changes, removes or inserts an entry afterwards leaves a chain that does not fit.
CREATE TABLE audit_chain (
    number   bigint PRIMARY KEY,
    entry_id uuid NOT NULL REFERENCES audit_entries,
    hash     bytea NOT NULL,
    CONSTRAINT one_link_per_entry UNIQUE (entry_id),
    CONSTRAINT links_are_counted_from_one CHECK (number >= 1),
    CONSTRAINT hash_is_a_sha_256 CHECK (octet_length(hash) = 32)
);

-- Where the chain ends, so that a shortened chain is noticed too.
CREATE TABLE audit_head (
    only_one boolean PRIMARY KEY DEFAULT true,
    number   bigint NOT NULL,
    hash     bytea NOT NULL,
    CONSTRAINT there_is_one_head CHECK (only_one),
    CONSTRAINT hash_is_a_sha_256 CHECK (octet_length(hash) = 32)
) WITH (fillfactor = 10);
INSERT INTO audit_head (number, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

-- A text as netstring (its bytes counted: "3:abc,"), an absent one as "~,": no two rows read the same.
CREATE FUNCTION netstring(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN $1 IS NULL THEN '~,' ELSE octet_length($1)::text || ':' || $1 || ',' END;

-- What the hash of an entry covers: its place in the chain and every column, the moment in microseconds since 1970.
CREATE FUNCTION audit_content(number bigint, entry audit_entries) RETURNS bytea LANGUAGE sql STABLE
    RETURN convert_to(
        netstring(number::text) || netstring(entry.id::text)
            || netstring((extract(epoch FROM entry.at) * 1000000)::bigint::text) || netstring(entry.app_id::text)
            || netstring(entry.staff_id::text) || netstring(entry.actor) || netstring(entry.role)
            || netstring(entry.action) || netstring(entry.object_type) || netstring(entry.object_id)
            || netstring(entry.before::text) || netstring(entry.after::text) || netstring(entry.reason)
            || netstring(entry.request_id) || netstring(entry.address),
        'UTF8');

-- Runs at commit, not at the insert: writers wait for each other only while they commit.
CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    head audit_head;
BEGIN
    SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
    head.number := head.number + 1;
    head.hash := sha256(head.hash || audit_content(head.number, NEW));
    INSERT INTO audit_chain (number, entry_id, hash) VALUES (head.number, NEW.id, head.hash);
    UPDATE audit_head SET number = head.number, hash = head.hash;
    RETURN NULL;
END $$;

CREATE FUNCTION refuse_other_heads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number = OLD.number + 1
        AND EXISTS (SELECT FROM audit_chain WHERE number = NEW.number AND hash = NEW.hash) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the head of the audit chain only moves on to the next link'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

DO $$
DECLARE
    entry audit_entries;
    head audit_head;
BEGIN
    SELECT * INTO STRICT head FROM audit_head;
    FOR entry IN SELECT * FROM audit_entries ORDER BY at, id LOOP
        head.number := head.number + 1;
        head.hash := sha256(head.hash || audit_content(head.number, entry));
        INSERT INTO audit_chain (number, entry_id, hash) VALUES (head.number, entry.id, head.hash);
    END LOOP;
    UPDATE audit_head SET number = head.number, hash = head.hash;
END $$;

CREATE CONSTRAINT TRIGGER every_entry_is_chained AFTER INSERT ON audit_entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();
CREATE TRIGGER links_are_never_changed BEFORE UPDATE OR DELETE ON audit_chain
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER the_chain_is_never_emptied BEFORE TRUNCATE ON audit_chain
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER the_head_only_moves_on BEFORE UPDATE ON audit_head
    FOR EACH ROW EXECUTE FUNCTION refuse_other_heads();
CREATE TRIGGER the_head_stays BEFORE DELETE ON audit_head
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER the_head_is_never_emptied BEFORE TRUNCATE ON audit_head
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE INDEX audit_entries_by_actor ON audit_entries (actor, at DESC, id DESC);
CREATE INDEX audit_entries_by_action ON audit_entries (action, at DESC, id DESC);
CREATE INDEX audit_entries_by_app ON audit_entries (app_id, at DESC, id DESC);

-- --------------------------------------------------------------------------------------------------- who sees what

ALTER TABLE staff ADD COLUMN sees_all_apps boolean NOT NULL DEFAULT true;

-- The apps of somebody who does not see all of them.
CREATE TABLE staff_apps (
    staff_id uuid NOT NULL REFERENCES staff,
    app_id   uuid NOT NULL REFERENCES apps,
    PRIMARY KEY (staff_id, app_id)
);

-- What a token may do of what its owner may do ("orders:read"); NULL is everything.
ALTER TABLE staff_tokens ADD COLUMN scopes text[];

-- An account that is invited and not yet taken has no password: '!' is the hash of none.
CREATE FUNCTION refuse_to_lose_the_last_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.role <> 'admin' OR OLD.disabled_at IS NOT NULL OR OLD.password_hash = '!' THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.role = 'admin' AND NEW.disabled_at IS NULL AND NEW.password_hash <> '!' THEN
        RETURN NULL;
    END IF;
    -- Two admins who shut each other out at once: the second waits here and then finds itself alone.
    PERFORM pg_advisory_xact_lock(hashtextextended('the last admin', 12));
    IF NOT EXISTS (SELECT FROM staff WHERE role = 'admin' AND disabled_at IS NULL AND password_hash <> '!') THEN
        RAISE EXCEPTION 'there would be no admin left'
            USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER one_admin_remains AFTER UPDATE OF role, disabled_at, password_hash OR DELETE ON staff
    FOR EACH ROW EXECUTE FUNCTION refuse_to_lose_the_last_admin();

-- ------------------------------------------------------------------------------------------------------- sign-in

-- A session is named by its id on the page that lists it. When its owner last proved who they are is authenticated_at.
ALTER TABLE staff_sessions ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
ALTER TABLE staff_sessions ADD CONSTRAINT one_session_per_id UNIQUE (id);
ALTER TABLE staff_sessions ADD COLUMN authenticated_at timestamptz NOT NULL DEFAULT now();
UPDATE staff_sessions SET authenticated_at = created_at;

-- A browser that knows the password and still owes the second factor; it can do nothing else.
CREATE TABLE staff_half_sessions (
    token_hash bytea PRIMARY KEY,
    staff_id   uuid NOT NULL REFERENCES staff,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT token_is_kept_as_a_hash CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX staff_half_sessions_by_staff ON staff_half_sessions (staff_id);

-- The second factor of an account (TOTP, RFC 6238). The secret is sealed with the installation's key.
CREATE TABLE staff_two_factor (
    staff_id      uuid PRIMARY KEY REFERENCES staff,
    sealed_secret bytea NOT NULL,
    created_at    timestamptz NOT NULL,
    -- From then on sign-in asks for it.
    confirmed_at  timestamptz,
    -- The time step of the last code that was taken: a code is good once.
    last_step     bigint NOT NULL,
    CONSTRAINT secret_is_sealed CHECK (octet_length(sealed_secret) > 20)
);

-- Codes for whoever lost the device, each good once. Shown once; here are their SHA-256.
CREATE TABLE staff_recovery_codes (
    staff_id  uuid NOT NULL REFERENCES staff,
    code_hash bytea NOT NULL,
    used_at   timestamptz,
    PRIMARY KEY (staff_id, code_hash),
    CONSTRAINT code_is_kept_as_a_hash CHECK (octet_length(code_hash) = 32)
);

-- One-time links with which somebody sets their password: an invitation, or a way back in. One live link per account.
CREATE TABLE staff_links (
    staff_id   uuid PRIMARY KEY REFERENCES staff,
    token_hash bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT one_link_per_hash UNIQUE (token_hash),
    CONSTRAINT token_is_kept_as_a_hash CHECK (octet_length(token_hash) = 32)
);
