-- What an app that begins now counts by (`MetricDefinitions.version`): prices by how long their transactions paid for.
ALTER TABLE apps ALTER COLUMN metrics_version SET DEFAULT 4;
