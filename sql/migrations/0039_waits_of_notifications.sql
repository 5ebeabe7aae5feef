-- Attempts that ended for no fault of the notification: its customer was locked, or the database did not answer. They are not
-- among those after which a notification is parked.
ALTER TABLE store_notifications
    ADD COLUMN waits integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT waits_are_attempts CHECK (waits BETWEEN 0 AND attempts);
