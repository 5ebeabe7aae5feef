package import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Tells a store what we think of a refund that it asked about. The answer is committed before it is sent, with the decision of a
    /// case that nobody decided; a worker that is lost in between has it sent again, which does no harm.
    func answerStore(_ leased: LeasedJob) async throws -> JobProgress {
        do {
            let step = try await database.write { transaction in
                let step = try await prepareAnswer(leased, in: transaction)
                // After the customer's lock: whoever changes the case has that before the job.
                let isOurs =
                    step.isFinished
                    ? try await transaction.jobs.complete(leased.lease)
                    : try await transaction.jobs.hold(leased.lease, for: Self.jobLease)
                guard isOurs else { throw LeaseLost() }
                return step
            }
            switch step {
            case .nothing: return .finished
            case .later(let wait): return .notYet(for: wait)
            case .send(let message):
                try await finish(message, try await send(message, of: leased), leased)
                return .finished
            }
        } catch is LeaseLost {
            return .leaseLost
        }
    }

    /// Decides what is sent, and writes that down.
    private func prepareAnswer(_ leased: LeasedJob, in transaction: WriteTransaction) async throws -> AnswerStep {
        guard let found = try await transaction.refunds.lockCase(Refund.ID(leased.subject)),
            let consumption = found.request.consumptionRequest, found.request.isAnswerable
        else { return .nothing }
        let decision = found.decision
        if case .sent? = found.answer?.state, found.answer?.preference == decision.preference { return .nothing }
        let moment = found.policy.answersAt(consumption.dueAt, askedAt: consumption.requestedAt)
        if found.request.refundPreference == nil, moment > transaction.now {
            return .later(.seconds(moment.timeIntervalSince(transaction.now)))
        }
        var answer = ConsumptionAnswer(
            state: .sending,
            preference: decision.preference,
            rule: decision.match.map { .init(position: $0.position, name: $0.rule.name) },
            providesSamples: found.policy.providesSamples,
            decidedAt: transaction.now
        )
        if let reason = withholding(found, consumption, decision, at: transaction.now) {
            // An answer that was already sent stands.
            if case .sent? = found.answer?.state { return .nothing }
            answer.state = .withheld(reason)
            try await transaction.refunds.save(answer, to: found.request.id)
            return .nothing
        }
        guard let preference = decision.preference else { return .nothing }
        do throws(RefundRefused) {
            // Without consent a store that needs none is told what we wish, and nothing of the customer.
            if found.isConsented {
                answer.percentage = try found.facts.percentage(
                    with: preference,
                    rule: decision.match?.rule.consumptionPercentage
                )
            }
        } catch {
            answer.state = .withheld(.noPercentage)
            try await transaction.refunds.save(answer, to: found.request.id)
            return .nothing
        }
        if let match = decision.match { try await decide(found, by: match, in: transaction) }
        try await transaction.refunds.save(answer, to: found.request.id)
        return .send(AnswerToSend(case: found, answer: answer, preference: preference))
    }

    private func withholding(
        _ found: CaseToAnswer,
        _ consumption: RefundRequest.ConsumptionRequest,
        _ decision: CaseDecision,
        at now: Date
    ) -> ConsumptionAnswer.Withholding? {
        if now >= consumption.dueAt { return .tooLate }
        if decision.preference == nil { return .noRule }
        return found.isConsented || !found.order.store.rules.refundAnswersNeedConsent ? nil : .noConsent
    }

    /// A case that the store opened and nobody decided is decided by the rule; what somebody requested waits for them.
    private func decide(
        _ found: CaseToAnswer,
        by match: ConsumptionMatch,
        in transaction: WriteTransaction
    ) async throws {
        let before = found.request
        guard before.isOpenedByStore, before.refund.status == .pending else { return }
        let program = Caller(.clock(for: nil), actor: "perennial")
        var request = before
        let reason = "\(match.position). \(match.rule.name)"
        request.decided = RefundRequest.Act(
            staff: nil,
            actor: program.actor,
            at: transaction.now,
            reason: Personal(reason)
        )
        request.refundPreference = match.rule.answer
        let action: AuditAction
        switch match.rule.answer {
        case .decline:
            try request.refund.take(.reject)
            request.finished = request.decided
            action = .rejectRefund
        case .grantFull, .grantProrated:
            let amount = found.amount(for: match.rule.answer, at: transaction.now)
            // Of nothing nothing is approved: the store is told all the same, and decides.
            guard amount.minorUnits > 0 else { return }
            try request.refund.take(.approve(amount))
            request.payback = StorePayback(found.order.refundable(), at: transaction.now)
                .weighed(for: match.rule.answer)
            request.expiresAt = found.order.policy.expiry(from: transaction.now)
            action = .approveRefund
        }
        try await transaction.refunds.save(request)
        try await transaction.audit.append(
            program.entry(
                action,
                on: "refund",
                request.number,
                app: request.app,
                before: before.auditText(in: transaction),
                after: request.auditText(in: transaction),
                reason: reason
            )
        )
    }

    /// - Throws: `JobFailure` when the store should be told again: at the deadline that ends (`withholding`).
    private func send(_ message: AnswerToSend, of leased: LeasedJob) async throws -> ConsumptionAnswer.State {
        let order = message.case.order
        guard let server = try await storeServer(of: leased.app, at: order.store) else { return .withheld(.noKey) }
        let answer = StoreAnswer(
            preference: message.preference,
            percentage: message.answer.percentage,
            providesSamples: message.answer.providesSamples,
            reviewToken: message.case.reviewToken
        )
        do {
            try await server.answer(answer, about: order.transactionID, in: order.environment)
            return .sent(at: database.now)
        } catch {
            guard let refusal = error.refusal else { throw JobFailure(error) }
            return .refused(code: refusal.code, message: error.message)
        }
    }

    /// True if the app's account has what its store is answered with about refunds; also where that cannot be used as it is, which is
    /// tried again until the store waits no longer.
    package func answersRefunds(of app: App.ID, at store: Store) async throws -> Bool {
        do {
            return try await storeServer(of: app, at: store) != nil
        } catch let error as OperationsError where error.code == .misconfigured {
            return true
        }
    }

    /// The stores that ask about refunds and that the app's accounts cannot answer.
    package func keylessStores(of app: App.ID) async throws -> Set<Store> {
        var stores: Set<Store> = []
        for store in Store.allCases where store.rules.refundAnswerTime != nil {
            if try await !answersRefunds(of: app, at: store) { stores.insert(store) }
        }
        return stores
    }

    /// The store's server API; nil if it has none, or the account lacks the settings for it.
    ///
    /// - Throws: `OperationsError` with `.misconfigured`.
    func storeServer(of app: App.ID, at store: Store) async throws -> (any StoreServer)? {
        guard let account = try await apps.entry(for: app)?.accounts[store], let gateway = gateways[store] else {
            return nil
        }
        do {
            return try gateway.server(of: account)
        } catch {
            throw OperationsError(error)
        }
    }

    private func finish(
        _ message: AnswerToSend,
        _ state: ConsumptionAnswer.State,
        _ leased: LeasedJob
    ) async throws {
        try await database.write { transaction in
            var answer = message.answer
            answer.state = state
            let request = message.case.request
            try await transaction.refunds.save(answer, to: request.id)
            if let result = state.auditWord {
                let entry = Caller(.clock(for: nil), actor: "perennial").entry(
                    .answerStore,
                    on: "refund",
                    request.number,
                    app: request.app,
                    after: AuditJSON([
                        ("refundPreference", answer.preference?.rawValue), ("result", result),
                        ("consumptionPercentage", answer.percentage.map { String($0) }),
                    ]).text
                )
                _ = try await transaction.audit.append(entry)
            }
            guard try await transaction.jobs.complete(leased.lease) else { throw LeaseLost() }
        }
    }
}

private enum AnswerStep: Sendable {
    case nothing
    /// Nobody decided, and the rules are not to yet.
    case later(Duration)
    case send(AnswerToSend)

    var isFinished: Bool { if case .nothing = self { true } else { false } }
}

private struct AnswerToSend: Sendable {
    var `case`: CaseToAnswer
    var answer: ConsumptionAnswer
    var preference: RefundPreference
}

/// The answer to a case: as staff decided, otherwise by the first matching rule.
private struct CaseDecision: Sendable {
    var preference: RefundPreference?
    var match: ConsumptionMatch?
}

extension CaseToAnswer {
    fileprivate var isConsented: Bool { consent?.isGiven == true }

    fileprivate var decision: CaseDecision {
        if let preference = request.refundPreference { return CaseDecision(preference: preference) }
        let match = policy.match(facts)
        return CaseDecision(preference: match?.rule.answer, match: match)
    }

    /// The amount of an approval with this answer, as far as we know: no more than is left of the charge, which an upgrade may have partly
    /// credited since the store asked.
    fileprivate func amount(for answer: RefundPreference, at now: Date) -> Money {
        let requested = request.refund.requested
        let refundable = order.refundable(apartFrom: request.number, approvedOnly: true)
        var units = min(requested.minorUnits, refundable.left.minorUnits)
        if answer == .grantProrated, let share = try? refundable.proration(at: now).amount {
            units = min(units, share.minorUnits)
        }
        return Money(minorUnits: units, currency: requested.currency)
    }
}

extension ConsumptionAnswer.State {
    /// nil of what the store was not told.
    fileprivate var auditWord: String? {
        switch self {
        case .sent: "sent"
        case .refused(let code, _): "refused\(code.map { " with \($0)" } ?? "")"
        case .sending, .withheld: nil
        }
    }
}

extension JobWrites {
    /// Has a store answered about a case: now where somebody decided, else when the app's rules do.
    func enqueueAnswer(to request: RefundRequest, policy: ConsumptionPolicy, at now: Date) async throws {
        guard let consumption = request.consumptionRequest else { return }
        let moment =
            request.refundPreference == nil
            ? policy.answersAt(consumption.dueAt, askedAt: consumption.requestedAt) : now
        try await enqueue(
            .consumptionAnswer,
            for: request.id.uuid,
            of: request.app,
            at: max(now, moment),
            maxAttempts: ConsumptionAnswer.maxAttempts
        )
    }
}
