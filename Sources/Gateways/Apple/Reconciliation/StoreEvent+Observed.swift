package import Billing
package import Foundation

extension StoreEvent {
    /// What Apple answers of a transaction when it is asked.
    ///
    /// - Parameters:
    ///   - status: only of a subscription's newest transaction.
    ///   - now: when it was asked, for an answer that does not say when it was signed.
    /// - Throws: `.missing` without ids, product or purchase date; `.malformed` for what the books do not take.
    package init(
        observing transaction: AppleTransaction,
        renewal: AppleRenewalInfo? = nil,
        status: AppleStatus? = nil,
        in environment: StoreEnvironment,
        at now: Date
    ) throws(GatewayError) {
        let signedAt = [transaction.signedDate, renewal?.signedDate].compactMap(\.self).max() ?? now
        let observed = try transaction.storeTransaction
        self.init(
            // The same answer, read twice, is one event.
            id: "observed:\(observed.id):\(signedAt.appleMilliseconds)",
            store: .apple,
            environment: environment,
            signedAt: signedAt,
            kind: .observed,
            transaction: observed,
            renewal: renewal?.terms,
            status: status.map(StoreEvent.Status.init)
        )
        do {
            try requireKeepable()
        } catch {
            throw GatewayError(.malformed, error.message, underlying: error)
        }
    }
}
