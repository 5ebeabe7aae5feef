/// The definitions in docs/metrics.md.
package enum MetricDefinitions {
    /// Raised when a metric begins to count otherwise. What an app's rollups count by an older one is counted again.
    package static let version = 5

    /// The number of days after its end within which a trial converts, if the catalogue names none.
    package static let trialConversionDays = 30
}
