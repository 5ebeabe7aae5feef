-- On which timeline of which cluster this database was when a server last came up on it. A standby that follows another primary than
-- ours does not have our timeline here.
ALTER TABLE installation
    ADD COLUMN system_identifier bigint,
    ADD COLUMN newest_timeline bigint,
    ADD CONSTRAINT a_timeline_belongs_to_a_cluster CHECK ((system_identifier IS NULL) = (newest_timeline IS NULL)),
    ADD CONSTRAINT timelines_count_from_one CHECK (newest_timeline > 0);
