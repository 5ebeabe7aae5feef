import Server
import Synchronization

/// Says what the demo does, and keeps how long it took.
final class DemoSteps: Sendable {
    private let times: StepTimes
    private let bar: ProgressLine
    private let current = Mutex<(step: DemoStep, since: ContinuousClock.Instant)?>(nil)

    init(times: StepTimes, bar: ProgressLine) {
        self.times = times
        self.bar = bar
    }

    /// Ends the step before.
    func begin(_ step: DemoStep?) {
        let now = ContinuousClock.now
        let over = current.withLock { current in
            defer { current = step.map { ($0, now) } }
            return current
        }
        if let over {
            if over.step == .filling { bar.finish() }
            times.note(over.step.rawValue, took: now - over.since)
        }
        guard let step else { return }
        Console.say("==> \(step.sentence)\(times.last(step.rawValue))")
    }
}

extension DemoStep {
    fileprivate var sentence: String {
        switch self {
        case .database: "Starting the database"
        case .filling: "Filling in two years of store life, once"
        }
    }
}
