package import Billing
import Foundation
package import Gateways
import Logging
package import Storage

extension BackOffice {
    /// Reconciles an app with a store: the messages that the store sent go through the intake as if they had just arrived, and the store is
    /// asked for the state of each subscription with an overdue message.
    ///
    /// Failures are kept with the reconciliation; the next one continues from where the store was last read to the end.
    ///
    /// - Parameters:
    ///   - days: the number of days to read back; nil for since the last time, or for as long as the store remembers.
    ///   - settle: waits until missing messages are applied, so that no subscription is asked for in vain.
    /// - Returns: nil if the store cannot be asked, or the account lacks the settings for it.
    /// - Throws: the database's errors.
    package func reconcile(
        _ app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        days: Int? = nil,
        trigger: Reconciliation.Trigger,
        settle: @Sendable () async throws -> Void
    ) async throws -> Reconciliation? {
        guard let source = try await reconciliationSource(of: app, at: store) else { return nil }
        let now = database.now
        var reconciliation = Reconciliation(
            id: Identifier(database.newUUID()),
            app: app,
            store: store,
            environment: environment,
            trigger: trigger,
            readFrom: try await start(source, app, store, environment, days: days),
            readTo: now,
            startedAt: now
        )
        try await database.begin(reconciliation)
        if try await read(source, for: &reconciliation) {
            if reconciliation.counts.missed > 0 { try await settle() }
            try await check(source, for: &reconciliation)
        }
        reconciliation.finishedAt = max(database.now, reconciliation.startedAt)
        try await database.keep(reconciliation)
        return reconciliation
    }

    /// - Throws: `OperationsError` with `.misconfigured`.
    package func reconciliationSource(of app: App.ID, at store: Store) async throws -> (any ReconciliationSource)? {
        guard let account = try await apps.entry(for: app)?.accounts[store], let gateway = gateways[store] else {
            return nil
        }
        do {
            return try gateway.reconciliation(of: account)
        } catch {
            throw OperationsError(error)
        }
    }

    /// The next begins where something could not be read.
    ///
    /// - Returns: false where the store cannot be asked at all.
    private func read(
        _ source: any ReconciliationSource,
        for reconciliation: inout Reconciliation
    ) async throws -> Bool {
        let tally = SharedTally()
        var failure: String?
        var canBeAsked = true
        do {
            let unread = try await readSentMessages(of: source, for: reconciliation, into: tally)
            if let first = unread.first {
                failure = first.problem
                reconciliation.readTo = first.start
            }
        } catch let error as StoreFailure {
            failure = error.message
            reconciliation.readTo = reconciliation.readFrom
            if case .misconfigured = error { canBeAsked = false }
        } catch let error as OperationsError {
            failure = error.message
            reconciliation.readTo = reconciliation.readFrom
        }
        reconciliation.counts = tally.value.counts
        reconciliation.problem = failure ?? tally.value.problem
        try await database.keep(reconciliation)
        return canBeAsked
    }

    private func check(
        _ source: any ReconciliationSource,
        for reconciliation: inout Reconciliation
    ) async throws {
        do {
            try await checkSubscriptions(with: source, for: &reconciliation)
            try await askForAmounts(of: source, for: &reconciliation)
        } catch let error as OperationsError {
            reconciliation.note(error.message)
        }
    }

    private func start(
        _ source: any ReconciliationSource,
        _ app: App.ID,
        _ store: Store,
        _ environment: StoreEnvironment,
        days: Int?
    ) async throws -> Date {
        let earliest = database.now.addingTimeInterval(Self.margin - source.memory(in: environment))
        if let days { return max(earliest, database.now.addingTimeInterval(-86_400 * Double(days))) }
        let last = try await database.reconciledUntil(app, at: store, in: environment)
        return last.map { max(earliest, $0.addingTimeInterval(-Self.overlap)) } ?? earliest
    }

    /// The distance of the earliest start from the store's limit, in seconds. Every page names the start, and the store checks it again:
    /// the last page of a long history is requested hours after the first, and the store's clock may be ahead of ours.
    private static var margin: TimeInterval { 6 * 3_600 }

    /// The overlap of two reads, in seconds: messages that the store lists only later are read with the next one.
    private static var overlap: TimeInterval { 6 * 3_600 }

    private func checkSubscriptions(
        with source: any ReconciliationSource,
        for reconciliation: inout Reconciliation
    ) async throws {
        let due = try await database.subscriptionsToCheck(
            of: reconciliation.app,
            at: reconciliation.store,
            in: reconciliation.environment,
            limit: Self.checksAtOnce
        )
        guard try await check(due, with: source, for: &reconciliation) else { return }
        guard reconciliation.store.rules.keepsRefundsQuiet else { return }
        let quiet = try await database.subscriptionsToAskForRefunds(
            of: reconciliation.app,
            at: reconciliation.store,
            in: reconciliation.environment,
            limit: Self.checksAtOnce
        )
        _ = try await check(quiet, with: source, for: &reconciliation)
    }

    /// - Returns: false where the store cannot be asked any more.
    private func check(
        _ due: [SubscriptionToCheck],
        with source: any ReconciliationSource,
        for reconciliation: inout Reconciliation
    ) async throws -> Bool {
        var inARow = 0
        for subscription in due {
            let asked = database.now
            switch try await outcome(of: subscription, with: source, for: &reconciliation) {
            case .known:
                reconciliation.counts.checked += 1
                inARow = 0
                try await database.noteChecked(subscription.id, at: asked)
            case .unanswered(let problem):
                reconciliation.note("\(subscription.originalTransactionID): \(problem)")
                inARow += 1
                try await database.noteUnanswered(subscription.id, at: database.now)
            case .cannotBeAsked(let problem):
                reconciliation.note(problem)
                return false
            }
            try await database.keep(reconciliation)
            guard inARow < Self.patience else { return false }
        }
        if due.count == Self.checksAtOnce {
            reconciliation.note(
                "More than \(Self.checksAtOnce) subscriptions are to be asked for; the others are asked for next time."
            )
        }
        return true
    }

    /// The outcome of asking about one subscription.
    private enum CheckOutcome {
        case known
        case unanswered(String)
        /// Nor about any other.
        case cannotBeAsked(String)
    }

    private func outcome(
        of subscription: SubscriptionToCheck,
        with source: any ReconciliationSource,
        for reconciliation: inout Reconciliation
    ) async throws -> CheckOutcome {
        do {
            let answer = try await source.events(
                of: subscription.originalTransactionID,
                by: subscription.purchaseToken,
                besides: subscription.transactions,
                in: reconciliation.environment,
                at: database.now
            )
            guard let answer else {
                reconciliation.counts.unknown += 1
                return .known
            }
            if try await apply(answer.events, of: reconciliation) { reconciliation.counts.corrected += 1 }
            return answer.unreadable.first.map(CheckOutcome.unanswered) ?? .known
        } catch let failure as StoreFailure {
            switch failure {
            case .refused(let refusal):
                reconciliation.note("\(subscription.originalTransactionID): \(refusal.reason.message)")
                return .known
            case .unanswered(let reason): return .unanswered(reason.message)
            case .misconfigured(let reason): return .cannotBeAsked(reason.message)
            }
        } catch let error as OperationsError {
            reconciliation.note("\(subscription.originalTransactionID): \(error.message)")
            return .known
        }
    }

    /// After so many in a row without an answer the store is away: the others are asked for the next time.
    private static var patience: Int { 3 }

    private static var checksAtOnce: Int { 2_000 }

    /// Asks for the prices of orders that were sold without one, transaction by transaction.
    private func askForAmounts(
        of source: any ReconciliationSource,
        for reconciliation: inout Reconciliation
    ) async throws {
        let due = try await database.ordersWithoutAmount(
            of: reconciliation.app,
            at: reconciliation.store,
            in: reconciliation.environment,
            limit: Self.checksAtOnce
        )
        var inARow = 0
        for order in due {
            do {
                let answer = try await source.transaction(
                    order.transactionID,
                    in: reconciliation.environment,
                    at: database.now
                )
                if let answer {
                    if try await apply([answer], of: reconciliation) { reconciliation.counts.corrected += 1 }
                } else {
                    reconciliation.counts.unknown += 1
                }
                inARow = 0
            } catch let failure as StoreFailure {
                reconciliation.note("\(order.number): \(failure.message)")
                switch failure {
                case .refused: inARow = 0
                case .unanswered: inARow += 1
                case .misconfigured: return
                }
            } catch let error as OperationsError {
                reconciliation.note("\(order.number): \(error.message)")
            }
            if inARow == 0 {
                reconciliation.counts.checked += 1
                try await database.noteAmountAsked(of: order.id, at: database.now)
            }
            try await database.keep(reconciliation)
            guard inARow < Self.patience else { return }
        }
    }

    /// - Returns: true if something was different here.
    private func apply(_ answer: [StoreEvent], of reconciliation: Reconciliation) async throws -> Bool {
        var isCorrected = false
        for event in answer {
            let incoming = IncomingEvent(
                app: reconciliation.app,
                event: event,
                origin: .reconciliation(reconciliation.id)
            )
            switch try await apply(incoming, patience: .seconds(5)) {
            case .applied: isCorrected = true
            case .known, .ignored, .leaseLost: break
            case .refused(let reason): throw OperationsError(.invalid, reason.message)
            }
        }
        return isCorrected
    }
}

extension Reconciliation {
    /// Keeps the first thing that it could not do.
    fileprivate mutating func note(_ text: String) {
        problem = problem ?? text
    }
}
