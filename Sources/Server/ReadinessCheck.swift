import HTTP
import Operations
import Postgres
import Storage

/// Checks that this process can do its work: the schema is current, something can be stored, notifications are applied.
///
/// The first is asked each time. To store something costs a commit, so its result is good for some seconds; however many ask, one
/// check runs at a time.
actor ReadinessCheck {
    private static let readLimit = Duration.milliseconds(350)
    private static let writeLimit = Duration.milliseconds(550)
    private static let goodFor = Duration.seconds(5)
    private static let badFor = Duration.seconds(2)

    private let backOffice: BackOffice
    private let isWorker: Bool
    private var asking: Task<Readiness, Never>?
    /// The reason why nothing could be stored; nil when it could.
    private var stored: (reason: String?, until: ContinuousClock.Instant)?

    init(_ backOffice: BackOffice, isWorker: Bool) {
        self.backOffice = backOffice
        self.isWorker = isWorker
    }

    func answer() async -> Readiness {
        if let asking { return await asking.value }
        let task = Task { await ask() }
        asking = task
        let answer = await task.value
        asking = nil
        return answer
    }

    private func ask() async -> Readiness {
        do {
            guard try await backOffice.database.isReady(timeout: Self.readLimit) else {
                return .notReady("The schema is not current: perennial migrate.")
            }
        } catch {
            stored = nil
            return .notReady("The database does not answer.")
        }
        if let reason = await storeFailure() { return .notReady(reason) }
        let problem = backOffice.database.replica?.problem.map { "pages are read from the primary: \($0)" }
        let filling = backOffice.filling.percent.map { "filling the demo's data, \($0) %" }
        let remarks = [filling, problem].compactMap(\.self)
        return remarks.isEmpty ? .ready : .readyThough(remarks.joined(separator: "; "))
    }

    private func storeFailure() async -> String? {
        // A later answer to a store counts for more than what we found before.
        if let stored, ContinuousClock.now < stored.until, stored.reason != nil || !backOffice.inbox.isRefused {
            return stored.reason
        }
        let reason = await store()
        stored = (reason, .now + (reason == nil ? Self.goodFor : Self.badFor))
        return reason
    }

    private func store() async -> String? {
        do {
            try await backOffice.beat(isWorker: isWorker, timeout: Self.writeLimit)
            try await backOffice.inbox.tryAgain(timeout: Self.writeLimit)
            guard isWorker else { return nil }
            return try await backOffice.database.workStatus(timeout: Self.readLimit).alarm?.sentence
        } catch {
            return await "Nothing can be stored: \(reason(error))."
        }
    }

    /// Words an error. A lock may be held by a write that waits for its own confirmation: then the lock is not what to look at.
    private func reason(_ error: any Error) async -> String {
        guard (error as? PostgresError)?.sqlState == .lockNotAvailable,
            let isUnconfirmed = try? await backOffice.database.hasUnconfirmedWrite(timeout: Self.readLimit),
            isUnconfirmed
        else { return Self.reason(error) }
        return Self.unconfirmed
    }

    private static let unconfirmed =
        "the database did not confirm a write in time; is its disk slow, or a synchronous standby away?"

    /// In words that name what to look at, and nothing of the database's own text.
    static func reason(_ error: any Error) -> String {
        switch (error as? PostgresError)?.sqlState {
        case .diskFull?: "the database has no space left on its disk"
        case .readOnlySQLTransaction?: "the database is read-only; is it a standby?"
        case .insufficientPrivilege?: "the database role may not write"
        case .lockNotAvailable?: "a lock holds up every write"
        case let state? where ![.operatorIntervention, .connectionException].contains(state.sqlClass):
            "the database refuses it (SQLSTATE \(state)), and its log says why"
        default: unconfirmed
        }
    }
}

extension WorkStatus.Alarm {
    /// For the operator, in English.
    var sentence: String {
        switch self {
        case .nobodyWorks: "Notifications wait, and no process applies them."
        case .nothingApplied(let minutes): "Nothing has been applied for \(minutes) minutes while notifications wait."
        }
    }
}
