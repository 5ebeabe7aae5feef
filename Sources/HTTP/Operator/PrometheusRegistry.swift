package import CoreMetrics
import Synchronization

/// The metrics of this process, as Prometheus reads them (text format 0.0.4).
package final class PrometheusRegistry: MetricsFactory, Sendable {
    private enum Instrument {
        case counter(PrometheusCounter)
        case gauge(PrometheusGauge)
        case histogram(PrometheusHistogram)

        var kind: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }

        func lines(_ name: String, _ labels: String) -> String {
            switch self {
            case .counter(let counter): counter.lines(name, labels)
            case .gauge(let gauge): gauge.lines(name, labels)
            case .histogram(let histogram): histogram.lines(name, labels)
            }
        }
    }

    /// By name, then by labels.
    private let families = Mutex<[String: [String: Instrument]]>([:])

    package init() {}

    /// Everything, sorted, one block a name.
    package func text() -> String {
        let families = families.withLock { $0 }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            guard let kind = family.first?.value.kind else { continue }
            text += "# TYPE \(name) \(kind)\n"
            for (labels, instrument) in family.sorted(by: { $0.key < $1.key }) where instrument.kind == kind {
                text += instrument.lines(name, labels)
            }
        }
        return text
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions)
    }

    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        counter(label, dimensions)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        aggregate ? histogram(label, dimensions, bounds: PrometheusHistogram.quantities) : gauge(label, dimensions)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        timer(label, dimensions)
    }

    // An instrument keeps its numbers for as long as the process lives: a counter that restarts at zero looks like a
    // restart of the process.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    package func counter(_ label: String, _ dimensions: [(String, String)]) -> PrometheusCounter {
        let made = instrument(label, suffix: "_total", dimensions) { .counter(PrometheusCounter()) }
        guard case .counter(let counter) = made else { return PrometheusCounter() }
        return counter
    }

    package func timer(_ label: String, _ dimensions: [(String, String)]) -> PrometheusHistogram {
        histogram(label, suffix: "_seconds", dimensions, bounds: PrometheusHistogram.seconds)
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> PrometheusGauge {
        let made = instrument(label, dimensions) { .gauge(PrometheusGauge()) }
        guard case .gauge(let gauge) = made else { return PrometheusGauge() }
        return gauge
    }

    private func histogram(
        _ label: String,
        suffix: String = "",
        _ dimensions: [(String, String)],
        bounds: [Double]
    ) -> PrometheusHistogram {
        let made = instrument(label, suffix: suffix, dimensions) { .histogram(PrometheusHistogram(bounds: bounds)) }
        guard case .histogram(let histogram) = made else { return PrometheusHistogram(bounds: bounds) }
        return histogram
    }

    /// The one instrument of that name and labels. Two kinds under one name cannot be shown: the second counts unseen.
    private func instrument(
        _ label: String,
        suffix: String = "",
        _ dimensions: [(String, String)],
        make: () -> Instrument
    ) -> Instrument {
        var name = MetricName.sanitized(label)
        if !name.hasSuffix(suffix) { name += suffix }
        let labels = MetricName.labels(dimensions)
        return families.withLock { families in
            if let known = families[name]?[labels] { return known }
            let made = make()
            families[name, default: [:]][labels] = made
            return made
        }
    }
}
