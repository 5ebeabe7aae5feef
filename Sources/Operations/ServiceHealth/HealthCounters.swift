import Foundation
import Storage
import Synchronization

/// This process's service metrics, until they are written (`BackOffice.writeHealth`).
///
/// Counting takes one lock and, for a known key, no memory; it is done for every request.
package final class HealthCounters: Sendable {
    private struct Route: Hashable {
        let method: String
        let path: String
    }

    private struct Thing: Hashable {
        let measure: HealthMeasure
        let detail: String
    }

    private struct State {
        var requests: [Route: HealthTally] = [:]
        var things: [Thing: HealthTally] = [:]
        /// The counts that could not be written, with their hours.
        var unwritten: [HealthCell.Key: HealthTally] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Counts an answer.
    ///
    /// - Parameter path: the pattern of its route, so that the number of routes stays small.
    package func answered(method: String, path: String, isFault: Bool, elapsed: Duration) {
        let route = Route(method: method, path: path)
        state.withLock {
            $0.requests[route, default: HealthTally()].add(seconds: elapsed / .seconds(1), isGood: !isFault)
        }
    }

    /// Counts a try of somebody to sign in.
    package func triedToSignIn(isLetIn: Bool) {
        let thing = Thing(measure: .signIn, detail: "")
        state.withLock { $0.things[thing, default: HealthTally()].add(isGood: isLetIn) }
    }

    /// Counts something that lasted.
    func lasted(_ measure: HealthMeasure, seconds: Double) {
        let thing = Thing(measure: measure, detail: "")
        state.withLock { $0.things[thing, default: HealthTally()].add(seconds: seconds, isGood: true) }
    }

    /// Counts a sample.
    func stands(_ measure: HealthMeasure, of detail: String = "", at height: Double) {
        let thing = Thing(measure: measure, detail: detail)
        state.withLock { $0.things[thing, default: HealthTally()].add(sample: height) }
    }

    /// Takes everything out, as of the hour of `now`, and with it what was given back.
    func take(at now: Date) -> [HealthCell] {
        let (requests, things, unwritten) = state.withLock { state in
            defer { state = State() }
            return (state.requests, state.things, state.unwritten)
        }
        let hour = HealthCell.Key.hour(of: now)
        var cells = unwritten
        for (route, tally) in requests {
            let key = HealthCell.Key(hour: hour, measure: .request, detail: "\(route.method) \(route.path)")
            cells[key, default: HealthTally()].merge(tally)
        }
        for (thing, tally) in things {
            let key = HealthCell.Key(hour: hour, measure: thing.measure, detail: thing.detail)
            cells[key, default: HealthTally()].merge(tally)
        }
        return cells.map { HealthCell(key: $0, tally: $1) }
    }

    /// Takes back what could not be written.
    func giveBack(_ cells: [HealthCell]) {
        state.withLock { state in
            for cell in cells { state.unwritten[cell.key, default: HealthTally()].merge(cell.tally) }
        }
    }
}
