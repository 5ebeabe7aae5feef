/// The definitions in docs/metrics.md.
package enum MetricDefinitions {
    /// Raised when a metric begins to count otherwise. What an app's rollups count by an older one is counted again.
    package static let version = 5

    /// Within how many days after its end a trial converts, where the catalogue does not say.
    package static let trialConversionDays = 30
}
