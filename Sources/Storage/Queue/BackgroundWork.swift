package import Billing

/// The app and the urgency of a task that works in the background.
///
/// Jobs of any number of apps wait for their stores beside each other. They only share the database's connections, and for these they
/// take turns, transaction by transaction: a job that waits for a store, or for another try, has none.
package struct BackgroundWork: Sendable {
    /// The work of the current task; nil for a request, a command, and inside a turn.
    @TaskLocal package static var current: BackgroundWork?

    /// The priority of work that waits for a turn; the first case is the most urgent.
    package enum Urgency: Sendable, Hashable, CaseIterable {
        /// A store waits for our response, and not for long.
        case deadline
        /// A customer waits for what they bought, or for an end of what they no longer want.
        case customer
        /// Nobody waits: reconciliations, files, bulk jobs.
        case housekeeping
    }

    package let app: App.ID
    package let urgency: Urgency
    package let places: BackgroundPlaces

    package init(for app: App.ID, _ urgency: Urgency, at places: BackgroundPlaces) {
        (self.app, self.urgency, self.places) = (app, urgency, places)
    }

    /// Runs `body` in its turn where the task works in the background, else at once.
    static func inTurn<R: Sendable>(
        at turns: KeyPath<BackgroundPlaces, Turns>,
        _ body: () async throws -> R
    ) async throws -> R {
        guard let work = current else { return try await body() }
        return try await work.places[keyPath: turns].take(of: work.app, work.urgency) {
            try await $current.withValue(nil) { try await body() }
        }
    }
}

/// The places at the database that the jobs of one process share.
package struct BackgroundPlaces: Sendable {
    /// For transactions: fewer than there are connections, so that requests find one.
    package let transactions: Turns
    /// For files, each for as long as it is written.
    package let exports: Turns

    package static let transactionsAtOnce = 3
    package static let exportsAtOnce = 2

    package init() {
        transactions = Turns(places: Self.transactionsAtOnce)
        exports = Turns(places: Self.exportsAtOnce)
    }
}
