import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Asks the store how an order stands, and settles its payment; one whose time is over is closed there first. What the store does not
    /// answer is asked again for as long as it takes, whichever server lives on.
    ///
    /// One that is closed here is asked about when its customer comes back from the store (`followReturn`): a payment that was quicker is
    /// honoured.
    func watchCheckout(_ leased: LeasedJob) async throws -> JobProgress {
        let id = Checkout.ID(leased.subject)
        guard var checkout = try await database.readPrimary({ try await $0.checkout(id, of: leased.app) }) else {
            return try await end(leased)
        }
        guard checkout.state != .paid else { return try await end(leased) }
        let server: any CheckoutServer
        do {
            server = try await checkoutServer(of: leased.app, at: checkout.store).server
        } catch let error as OperationsError where error.code == .conflict || error.code == .misconfigured {
            throw JobFailure(error.message, .unanswered)
        }
        if checkout.state.isOpen, database.now >= checkout.expiresAt {
            _ = try await database.write { try await $0.checkouts.close(id, because: .expired) }
            checkout.state = .closing
        }
        let standing: CheckoutStanding
        do throws(StoreFailure) {
            standing =
                checkout.state.isOpen
                ? try await server.standing(of: checkout.number) : try await server.close(checkout.number)
        } catch {
            try await database.write { transaction in
                try await transaction.checkouts.asked(id, failure: error.message)
                // Nobody asks any more after a no: people see to it.
                if error.refusal != nil { _ = try await transaction.checkouts.note(error.message, about: id) }
            }
            throw JobFailure(error)
        }
        return try await follow(standing, of: checkout, leased)
    }

    private func follow(
        _ standing: CheckoutStanding,
        of checkout: Checkout,
        _ leased: LeasedJob
    ) async throws -> JobProgress {
        switch standing {
        case .paid(let payment), .closed(let payment?):
            // A payment that cannot be settled waits for people, and not for the store.
            if case .disputed(let reason) = try await settle(
                payment,
                at: checkout.store,
                of: checkout.app,
                isFound: true
            ) {
                throw JobFailure(reason, .refused)
            }
            return try await end(leased)
        case .closed(nil):
            return try await finish(checkout, as: .closedByStore, leased)
        case .unknown where !checkout.state.isOpen && database.now >= checkout.lastQuestionAt:
            // It was never opened there, and what may still be under way is refused: its time is over.
            return try await finish(checkout, as: .expired, leased)
        case .unknown, .open, .paying:
            try await database.write { try await $0.checkouts.asked(checkout.id, failure: nil) }
            let age = database.now.timeIntervalSince(checkout.createdAt)
            let lifetime = checkout.expiresAt.timeIntervalSince(checkout.createdAt)
            return .notYet(for: .seconds(CheckoutSchedule.wait(at: age, expiringAt: lifetime)))
        }
    }

    private func finish(
        _ checkout: Checkout,
        as reason: Checkout.CloseReason,
        _ leased: LeasedJob
    ) async throws -> JobProgress {
        do {
            try await database.write { transaction in
                try await transaction.checkouts.closed(checkout.id, because: reason)
                guard try await transaction.jobs.complete(leased.lease) else { throw LeaseLost() }
            }
        } catch is LeaseLost {
            return .leaseLost
        }
        return .finished
    }
}

extension Checkout {
    /// The moment from which on a store that does not know it has never known it.
    fileprivate var lastQuestionAt: Date { expiresAt.addingTimeInterval(CheckoutSchedule.margin) }
}
