package import Billing
package import Foundation

extension StoreEvent {
    /// Apple's answer to a query for a transaction.
    ///
    /// - Parameters:
    ///   - status: only for a subscription's newest transaction.
    ///   - now: the time of the query, for an answer without a signing date.
    /// - Throws: `.missing` without ids, product or purchase date; `.malformed` for a value that the books do not take.
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
