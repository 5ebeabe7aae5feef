package import Foundation
import Synchronization

/// The simulated store's time, which can be driven.
package final class SimulatedClock: Sendable {
    private let state: Mutex<State>

    /// Real time, from which it can be driven away.
    package init() {
        state = Mutex(.ahead(by: 0))
    }

    /// Time that stands still until it is driven.
    package init(standingAt date: Date) {
        state = Mutex(.standing(date))
    }

    package var now: Date {
        switch state.withLock({ $0 }) {
        case .ahead(let interval): Date().addingTimeInterval(interval)
        case .standing(let date): date
        }
    }

    /// By which the tokens of whoever asks are judged: theirs is the real time unless all time stands still.
    var tokenTime: Date {
        switch state.withLock({ $0 }) {
        case .ahead: Date()
        case .standing(let date): date
        }
    }

    package func advance(by interval: TimeInterval) {
        state.withLock { state in
            switch state {
            case .ahead(let ahead): state = .ahead(by: ahead + interval)
            case .standing(let date): state = .standing(date.addingTimeInterval(interval))
            }
        }
    }

    /// Stands still at a moment, earlier or later than now.
    package func stand(at date: Date) {
        state.withLock { $0 = .standing(date) }
    }

    /// Goes on with real time.
    package func run() {
        state.withLock { $0 = .ahead(by: 0) }
    }

    private enum State {
        case ahead(by: TimeInterval)
        case standing(Date)
    }
}
