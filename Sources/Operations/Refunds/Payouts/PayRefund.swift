import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Has a store pay a refund, or asks how it stands. That it is sent is committed before the store is asked: whoever goes on after a
    /// server that died asks for the number first, and sends it again only if the store does not know it.
    func payRefund(_ leased: LeasedJob) async throws -> JobProgress {
        let refund = Refund.ID(leased.subject)
        do {
            let plan = try await database.write { transaction in
                let plan = try await planPayout(of: refund, in: transaction)
                // After the customer's lock: whoever changes the request has that before the job.
                let isOurs =
                    plan.isFinished
                    ? try await transaction.jobs.complete(leased.lease)
                    : try await transaction.jobs.hold(leased.lease, for: Self.jobLease)
                guard isOurs else { throw LeaseLost() }
                return plan
            }
            switch plan {
            case .nothing: return .finished
            case .later(let wait): return .notYet(for: wait)
            case .ask(let payout, let isNew): return try await ask(payout, isNew: isNew, leased)
            }
        } catch is LeaseLost {
            return .leaseLost
        }
    }

    private func planPayout(of refund: Refund.ID, in transaction: WriteTransaction) async throws -> PayoutPlan {
        guard let (order, request) = try await transaction.payouts.request(refund),
            let before = try await transaction.payouts.find(refund),
            let names = try await transaction.payouts.names(of: order.id)
        else { return .nothing }
        var payout = before
        if payout.payout.state == .waiting, request.refund.status != .approved {
            // The store has told of the money by itself, or somebody was quicker.
            _ = payout.payout.withdraw()
            try await transaction.payouts.save(payout, after: before)
            return .nothing
        }
        let step = payout.payout.step(
            of: payout.amount,
            from: payout.total,
            purchasedAt: names.purchasedAt,
            after: try await transaction.payouts.earlier(than: payout),
            within: order.store.rules.refundLimits,
            at: transaction.now
        )
        switch step {
        case .nothing: return .nothing
        case .ask: return .ask(payout, isNew: false)
        case .wait(let moment): return .later(.seconds(max(1, moment.timeIntervalSince(transaction.now))))
        case .send:
            // Nothing is marked as sent that cannot be sent: until then people may pay it by hand.
            _ = try await server(for: payout)
            _ = payout.payout.send()
            payout.sentAt = transaction.now
            try await transaction.payouts.save(payout, after: before)
            return .ask(payout, isNew: true)
        case .refuse(let obstacle):
            _ = payout.payout.refuse()
            payout.obstacle = obstacle
            try await transaction.payouts.save(payout, after: before)
            return .nothing
        }
    }

    /// - Throws: `JobFailure` where the store cannot be asked: it is tried again until people have seen to the account.
    func server(for payout: StoredPayout) async throws -> any RefundServer {
        do {
            if let server = try await refundServer(of: payout.app, at: payout.store) { return server }
        } catch let error as OperationsError where error.code == .misconfigured {
            throw JobFailure(error.message, .unanswered)
        }
        throw JobFailure("The app has no account at \(payout.store.rawValue) any more.", .unanswered)
    }

    private func ask(_ payout: StoredPayout, isNew: Bool, _ leased: LeasedJob) async throws -> JobProgress {
        let server: any RefundServer
        do {
            server = try await self.server(for: payout)
        } catch let failure as JobFailure {
            try await note(failure.description, about: payout)
            throw failure
        }
        let refund = try await refund(of: payout)
        var answer = PayoutAnswer.unpaid
        if !isNew {
            // A refund that may have been sent before is asked for first.
            answer = await PayoutAnswer(about: refund, from: server)
            if case .unpaid = answer, payout.payout.state == .abnormal {
                answer = .standing(StoreRefundStanding(.abnormal))
            }
        }
        if case .unpaid = answer {
            switch isNew ? .send : try await hearNothing(of: payout, leased) {
            case .send: answer = await PayoutAnswer(paying: refund, by: server)
            case .wait: return .notYet(for: .seconds(Self.quietWait))
            case .leave, nil: return .finished
            }
        }
        switch answer {
        case .unpaid: return .notYet(for: .seconds(Self.quietWait))
        case .standing(let standing):
            do {
                return try await keep(standing, of: payout, leased)
            } catch let disputed as PayoutDisputed {
                try await note(disputed.message, about: payout)
                throw JobFailure(disputed.message, .unanswered)
            }
        case .refused(let words):
            let isOver = try await database.write { transaction in
                try await refuse(payout, words, in: transaction)
                // A store that has begun to pay and says no now is asked on: its no may be to another attempt.
                if try await transaction.payouts.find(payout.refund)?.isFollowed == true { return false }
                guard try await transaction.jobs.complete(leased.lease) else { throw LeaseLost() }
                return true
            }
            if isOver { return .finished }
            try await note(words, about: payout)
            throw JobFailure(words, .unanswered)
        case .unknown(let words):
            // Never taken for a failure: asked for again under the same number.
            try await note(words, about: payout)
            throw JobFailure(words, .unanswered)
        }
    }

    private func keep(
        _ standing: StoreRefundStanding,
        of payout: StoredPayout,
        _ leased: LeasedJob
    ) async throws -> JobProgress {
        let kept = try await database.write { transaction in
            let heard = try await hear(standing, of: payout.refund, in: transaction)
            let isOver = heard.map { !$0.isFollowed } ?? true
            let isOurs =
                isOver
                ? try await transaction.jobs.complete(leased.lease)
                : try await transaction.jobs.hold(leased.lease, for: Self.jobLease)
            guard isOurs else { throw LeaseLost() }
            return heard
        }
        guard let kept, kept.isFollowed else { return .finished }
        let age = database.now.timeIntervalSince(kept.sentAt ?? kept.createdAt)
        return .notYet(for: .seconds(PayoutSchedule.wait(at: age)))
    }

    /// Keeps that the store knows of no refund under the number.
    ///
    /// - Returns: what follows from that; nil where it is followed no more. Then, and where it is left to people, the job is done.
    private func hearNothing(of told: StoredPayout, _ leased: LeasedJob) async throws -> UnpaidPayout? {
        try await database.write { transaction in
            guard try await transaction.payouts.request(told.refund) != nil,
                let before = try await transaction.payouts.find(told.refund), before.isFollowed
            else {
                guard try await transaction.jobs.complete(leased.lease) else { throw LeaseLost() }
                return nil
            }
            var payout = before
            let since = before.unpaidSince ?? transaction.now
            (payout.unpaidSince, payout.askedAt) = (since, transaction.now)
            // One that the store has taken already is sent under its number until the store says what became of it.
            var next = before.payout.state == .sent ? UnpaidPayout(since: since, at: transaction.now) : .send
            if next == .leave, !payout.payout.leave() { next = .wait }
            try await transaction.payouts.save(payout, after: before)
            let isOurs =
                next == .leave
                ? try await transaction.jobs.complete(leased.lease)
                : try await transaction.jobs.hold(leased.lease, for: Self.jobLease)
            guard isOurs else { throw LeaseLost() }
            return next
        }
    }

    /// Seconds until it is asked again about what is not sent any more.
    private static var quietWait: Int { 600 }

    private func refuse(_ told: StoredPayout, _ words: String, in transaction: WriteTransaction) async throws {
        guard try await transaction.payouts.request(told.refund) != nil,
            let before = try await transaction.payouts.find(told.refund)
        else { return }
        var payout = before
        guard payout.payout.refuse() else { return }
        (payout.words, payout.askedAt) = (String(words.prefix(StoredPayout.longestWords)), transaction.now)
        try await transaction.payouts.save(payout, after: before)
    }

    /// Keeps why there is no answer yet.
    func note(_ words: String, about told: StoredPayout) async throws {
        try await database.write { transaction in
            guard try await transaction.payouts.request(told.refund) != nil,
                let before = try await transaction.payouts.find(told.refund), before.isFollowed
            else { return }
            var payout = before
            (payout.words, payout.askedAt) = (String(words.prefix(StoredPayout.longestWords)), transaction.now)
            try await transaction.payouts.save(payout, after: before)
        }
    }

    /// The question to the store. The customer reads the product's name there, and no reason that staff wrote.
    func refund(of payout: StoredPayout) async throws -> StoreRefund {
        let product = try await database.readPrimary { try await $0.productName(ofRefund: payout.refund) }
        let app = try await apps.entry(for: payout.app)?.record.slug
        return StoreRefund(
            number: payout.number,
            orderNumber: payout.orderNumber,
            transactionID: payout.transactionID,
            amount: payout.amount,
            total: payout.total,
            reason: product ?? payout.orderNumber,
            notificationURL: app.flatMap { storeAddresses.notifications(payout.store, $0) },
            revokes: payout.revokes
        )
    }
}

private enum PayoutPlan: Sendable {
    case nothing
    case later(Duration)
    case ask(StoredPayout, isNew: Bool)

    var isFinished: Bool { if case .nothing = self { true } else { false } }
}

extension StoredPayout {
    /// True while the store is asked about it: also of what its customer's account did not take, which people see to at the store.
    var isFollowed: Bool {
        switch payout.state {
        case .sent, .processing, .abnormal: true
        case .waiting, .unpaid, .paid, .closed, .refused, .withdrawn: false
        }
    }

    /// True shortly after the store was asked to pay it to another account: what it says of the account that takes nothing may be older.
    func isBeingSettled(at now: Date) -> Bool {
        payout.state == .processing && settledAt.map { now < $0.addingTimeInterval(Self.settlingTime) } ?? false
    }

    /// Longer than the question to the store takes with all its attempts, in seconds.
    private static let settlingTime: TimeInterval = 300
}

/// The outcome of asking a store for a refund.
enum PayoutAnswer: Sendable {
    case standing(StoreRefundStanding)
    /// It said no to paying it, and paid nothing.
    case refused(String)
    /// It knows of no refund under the number.
    case unpaid
    /// It may have paid, or not.
    case unknown(String)

    /// Asks how it stands.
    init(about refund: StoreRefund, from server: any RefundServer) async {
        do throws(StoreFailure) {
            self = try await server.standing(of: refund).map(PayoutAnswer.standing) ?? .unpaid
        } catch {
            // A no to the question is none to the refund.
            self = .unknown(error.message)
        }
    }

    /// Has it paid.
    init(paying refund: StoreRefund, by server: any RefundServer) async {
        await self.init { () async throws(StoreFailure) in try await server.refund(refund) }
    }

    /// - Parameter ask: whether the store takes the refund; a no ends the attempt.
    init(_ ask: () async throws(StoreFailure) -> StoreRefundStanding) async {
        do throws(StoreFailure) {
            self = .standing(try await ask())
        } catch {
            self = error.refusal == nil ? .unknown(error.message) : .refused(error.message)
        }
    }
}
