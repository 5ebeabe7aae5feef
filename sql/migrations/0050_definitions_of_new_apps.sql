-- An app that begins now counts by the definitions in force (docs/metrics.md): there is nothing to count again. The default is the
-- version of `MetricDefinitions` and moves with it.
ALTER TABLE apps ALTER COLUMN metrics_version SET DEFAULT 2;
