-- Buckets are written more often than anything else, and are worth nothing a minute later. After a crash, and on a standby that takes
-- over, there are none: all are full.
ALTER TABLE rate_limit_buckets SET UNLOGGED;
