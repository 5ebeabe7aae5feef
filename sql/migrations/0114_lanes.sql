-- What waits is found lane by lane, so that a million of one app are not read through for the first of another.
DROP INDEX jobs_to_work_on;
CREATE INDEX jobs_to_work_on ON jobs (app_id, kind, scheduled_at, id) WHERE state = 'available';
DROP INDEX store_notifications_to_process;
CREATE INDEX store_notifications_to_process ON store_notifications (app_id, scheduled_at, id) WHERE state = 'received';
