-- Where the log ended after a person's last write, while screens are read from a replica: until it has replayed that far, the primary
-- answers this person. It outlives a crash, after which a replica may well be behind.
CREATE TABLE staff_writes (
    staff_id uuid PRIMARY KEY REFERENCES staff ON DELETE CASCADE,
    written_up_to pg_lsn NOT NULL
);
