import CoreMetrics
import Synchronization

/// A number that only grows.
package final class PrometheusCounter: CounterHandler, FloatingPointCounterHandler, Sendable {
    private let value = Mutex(0.0)

    package func increment(by amount: Int64) { increment(by: Double(amount)) }

    package func increment(by amount: Double) {
        guard amount > 0 else { return }
        value.withLock { $0 += amount }  // safe: a fraction
    }

    package func reset() { value.withLock { $0 = 0 } }

    package func lines(_ name: String, _ labels: String) -> String {
        "\(name)\(labels) \(value.withLock { $0 }.metricText)\n"
    }
}

/// A number that goes up and down.
package final class PrometheusGauge: MeterHandler, RecorderHandler, Sendable {
    private let value = Mutex(0.0)

    package func set(_ value: Int64) { set(Double(value)) }
    package func set(_ value: Double) { self.value.withLock { $0 = value } }
    // safe: fractions
    package func increment(by amount: Double) { value.withLock { $0 += amount } }
    package func decrement(by amount: Double) { value.withLock { $0 -= amount } }  // safe: as above
    package func record(_ value: Int64) { set(Double(value)) }
    package func record(_ value: Double) { set(value) }

    package func lines(_ name: String, _ labels: String) -> String {
        "\(name)\(labels) \(value.withLock { $0 }.metricText)\n"
    }
}

/// The distribution of values over fixed buckets.
package final class PrometheusHistogram: RecorderHandler, TimerHandler, Sendable {
    /// From half a millisecond to ten seconds, about two buckets to a doubling where answers usually lie.
    package static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// For sizes and counts.
    package static let quantities = [1.0, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 10_000, 100_000]

    private struct State {
        var counts: [UInt64]
        var sum = 0.0
        var total: UInt64 = 0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    package init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count)))
    }

    package func record(_ value: Int64) { record(Double(value)) }

    package func record(_ value: Double) {
        guard !value.isNaN else { return }
        let bucket = bounds.firstIndex { value <= $0 }
        state.withLock { state in
            if let bucket { state.counts[bucket] += 1 }
            state.sum += value
            state.total += 1  // safe: a count of requests
        }
    }

    package func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    package func lines(_ name: String, _ labels: String) -> String {
        let state = state.withLock { $0 }
        var text = ""
        var sum: UInt64 = 0
        for (bound, count) in zip(bounds, state.counts) {
            sum += count
            text += "\(name)_bucket\(MetricName.adding("le=\"\(bound.metricText)\"", to: labels)) \(sum)\n"
        }
        text += "\(name)_bucket\(MetricName.adding("le=\"+Inf\"", to: labels)) \(state.total)\n"
        text += "\(name)_sum\(labels) \(state.sum.metricText)\n"
        return text + "\(name)_count\(labels) \(state.total)\n"
    }
}

extension Double {
    /// Whole numbers without a fraction.
    fileprivate var metricText: String {
        if isInfinite { return self < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: self).map(String.init) ?? String(self)
    }
}
