package import Foundation

/// The counts of one measure.
package struct HealthTally: Hashable, Sendable {
    package var count: Int64 = 0
    /// The number of good ones.
    package var good: Int64 = 0
    /// Seconds, or the sampled values.
    package var sum: Double = 0
    package var max: Double = 0
    /// Empty for a measure without durations.
    package var durations = DurationHistogram()

    package init() {}

    /// Counts something that took so many seconds.
    package mutating func add(seconds: Double, isGood: Bool) {
        let seconds = Swift.max(0, seconds)
        durations.add(seconds: seconds)
        add(value: seconds, isGood: isGood)
    }

    /// Counts something that went well or did not.
    package mutating func add(isGood: Bool) {
        add(value: 0, isGood: isGood)
    }

    /// Counts a sample of something that stands at some height.
    package mutating func add(sample: Double) {
        add(value: sample, isGood: true)
    }

    package mutating func merge(_ other: Self) {
        count += other.count
        good += other.good
        sum += other.sum
        max = Swift.max(max, other.max)
        durations.merge(other.durations)
    }

    /// The duration, in seconds, that so many percent do not exceed; nil when nothing was counted.
    package func percentile(_ percent: Double) -> Double? {
        durations.percentile(percent).map { min($0, max) }
    }

    private mutating func add(value: Double, isGood: Bool) {
        count += 1
        if isGood { good += 1 }
        sum += value
        max = Swift.max(max, value)
    }
}

/// The counts of one measure in one hour.
package struct HealthCell: Hashable, Sendable {
    package var key: Key
    package var tally: HealthTally

    package struct Key: Hashable, Sendable {
        /// Its beginning.
        package var hour: Date
        package var measure: HealthMeasure
        /// The method and pattern of a request's route, or the app whose notifications failed; empty for a measure without either.
        package var detail: String

        package init(hour: Date, measure: HealthMeasure, detail: String) {
            self.hour = hour
            self.measure = measure
            self.detail = detail
        }
    }

    package init(key: Key, tally: HealthTally) {
        self.key = key
        self.tally = tally
    }
}
