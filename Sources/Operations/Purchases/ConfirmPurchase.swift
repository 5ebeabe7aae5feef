import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Asks the store once more for what it has not answered; the longer it has been away, the less often.
    func confirmPurchase(_ leased: LeasedJob) async throws -> JobProgress {
        let id = PurchaseVerification.ID(leased.subject)
        let verification = try await database.write { try await $0.purchases.verification(id) }
        guard verification.isOpen else { return try await end(leased) }
        let asked: PurchaseVerification
        do {
            let source = try await purchaseSource(of: verification.app, at: verification.store)
            let proven = try await source.read(verification.proof, at: database.now)
            asked = try await judge(verification, proven, by: source, lease: leased.lease).verification
        } catch is LeaseLost {
            return .leaseLost
        } catch let error as GatewayError where error.code == .misconfigured {
            return .notYet(for: pause(of: verification))
        } catch let error as OperationsError where error.code == .misconfigured || error.code == .conflict {
            // Whoever sees to the app's account has purchases confirmed by that.
            return .notYet(for: pause(of: verification))
        }
        return asked.isOpen ? .notYet(for: pause(of: verification)) : .finished
    }

    /// A quarter of the time that it waits already: from five seconds to an hour.
    private func pause(of verification: PurchaseVerification) -> Duration {
        let age = database.now.timeIntervalSince(verification.requestedAt)
        return .seconds(min(max(age / 4, 5), 3_600))
    }
}
