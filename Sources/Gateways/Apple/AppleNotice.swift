package import Billing

extension AppleNotification {
    /// The notification's message about the app or a customer; nil for one about a subscription, and for TEST.
    ///
    /// - Throws: `.missing` if the notice lacks its subject, `.malformed` for a value that the database cannot keep.
    package func notice() throws(GatewayError) -> StoreNotice? {
        guard let notice = try unchecked() else { return nil }
        if let problem { throw problem }
        if let problem = notice.problem { throw GatewayError(.malformed, problem) }
        return notice
    }

    /// Reads what was verified when it came and has been kept since.
    init(verifiedBefore signedPayload: String) throws(GatewayError) {
        let outer = try AppleEnvelope(signedPayload).token
        let body = try AppleNotification.Body(outer.payload)
        func payload(_ text: String?) throws(GatewayError) -> JSON? {
            guard let text else { return nil }
            return try AppleToken(text, besides: outer).payload
        }
        try self.init(
            payload: outer.payload,
            body: body,
            transaction: try payload(body.signedTransaction),
            renewal: try payload(body.signedRenewal),
            appTransaction: try payload(body.signedAppTransaction)
        )
    }

    private func unchecked() throws(GatewayError) -> StoreNotice? {
        switch (notificationType, subtype) {
        case (.renewalExtension, .summary):
            guard let summary, let identifier = summary.requestIdentifier, let product = summary.productID,
                let succeeded = summary.succeededCount, let failed = summary.failedCount
            else {
                throw problem ?? GatewayError(.missing, "The summary lacks its request, its product or its counts.")
            }
            return .extensionCompleted(
                StoreNotice.ExtensionSummary(
                    requestIdentifier: identifier,
                    productID: product,
                    storefronts: summary.storefrontCountryCodes,
                    succeeded: succeeded,
                    failed: failed
                )
            )
        case (.externalPurchaseToken, .created): return try externalPurchase(.created)
        case (.externalPurchaseToken, .activeTokenReminder): return try externalPurchase(.reminded)
        case (.externalPurchaseToken, .unreported): return try externalPurchase(.unreported)
        case (.rescindConsent, nil):
            guard rawSubtype == nil else { return nil }
            guard let appTransaction else {
                throw problem ?? GatewayError(.missing, "The withdrawn consent names no app transaction.")
            }
            let fields = try JSONFields(appTransaction, of: "app transaction")
            guard let id = try fields.string("appTransactionId") else {
                throw GatewayError(.missing, "The app transaction has no appTransactionId.")
            }
            return .consentRescinded(StoreNotice.RescindedConsent(appTransactionID: id))
        case (.unclaimSeats, nil):
            guard rawSubtype == nil else { return nil }
            guard let unclaimed, !unclaimed.claimIDs.isEmpty else {
                throw problem ?? GatewayError(.missing, "The notification names no claim.")
            }
            return .seatsUnclaimed(StoreNotice.UnclaimedSeats(claimIDs: unclaimed.claimIDs))
        default: return nil
        }
    }

    private func externalPurchase(_ state: ExternalPurchaseState) throws(GatewayError) -> StoreNotice {
        guard let token = externalPurchaseToken, let id = token.externalPurchaseID else {
            throw problem ?? GatewayError(.missing, "The notification names no external purchase.")
        }
        return .externalPurchase(
            StoreNotice.ExternalPurchaseNotice(
                externalPurchaseID: id,
                state: state,
                createdAt: token.createdAt,
                tokenType: token.tokenType,
                expiresAt: token.expiresAt
            )
        )
    }
}
