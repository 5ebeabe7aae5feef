import Billing
import Foundation

/// The number of durations in each of fixed buckets, from which percentiles are known to within a tenth.
///
/// The first bucket ends at a millisecond, each other a tenth above the one before it, the last after seven and a half days. The
/// bounds never change, so that old counts can be added to new ones.
package struct DurationHistogram: Hashable, Sendable {
    /// The count of each bucket, up to the last that has any.
    package private(set) var counts: [Int64]

    /// The last bucket, which also counts longer durations.
    private static let last = 213
    private static let first = 0.001
    private static let step = 1.1

    package init(counts: [Int64] = []) {
        self.counts = counts
    }

    package var total: Int64 { counts.reduce(0, +) }

    /// - Parameter seconds: below zero, as clocks that differ may give it, it counts as none.
    package mutating func add(seconds: Double) {
        add(1, in: Self.bucket(of: seconds))
    }

    /// Adds what fell into one bucket.
    mutating func add(_ count: Int64, in bucket: Int) {
        while counts.count <= bucket { counts.append(0) }
        counts[bucket] += count
    }

    package mutating func merge(_ other: Self) {
        while counts.count < other.counts.count { counts.append(0) }
        for (bucket, count) in other.counts.enumerated() { counts[bucket] += count }
    }

    /// The duration, in seconds, that so many percent do not exceed, interpolated linearly within its bucket. nil when nothing was counted.
    package func percentile(_ percent: Double) -> Double? {
        let total = total
        guard total > 0 else { return nil }
        let rank = Double(total) * percent / 100
        var before: Int64 = 0
        for (bucket, count) in counts.enumerated() where count > 0 {
            if Double(before + count) >= rank {
                let (low, high) = (Self.lowerBound(of: bucket), Self.upperBound(of: bucket))
                return low + (high - low) * max(0, rank - Double(before)) / Double(count)
            }
            before += count
        }
        return Self.upperBound(of: counts.count - 1)
    }

    static func upperBound(of bucket: Int) -> Double {
        first * pow(step, Double(bucket))
    }

    static func lowerBound(of bucket: Int) -> Double {
        bucket == 0 ? 0 : upperBound(of: bucket - 1)
    }

    private static func bucket(of seconds: Double) -> Int {
        guard seconds > first else { return 0 }
        // Before it becomes an integer: there are durations that are none.
        return Int(bounding: min((log(seconds / first) / log(step)).rounded(.up), Double(last)))
    }
}
