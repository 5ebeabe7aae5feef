/// A notification taken apart and not yet verified: enough to find out which app's setting to verify it with.
package struct AppleEnvelope: Sendable {
    let token: AppleToken

    /// - Throws: `.malformed`, `.unsupportedAlgorithm` or `.invalidChain` for what no setting would accept.
    package init(_ signedPayload: String) throws(GatewayError) {
        token = try AppleToken(signedPayload)
    }

    /// The claims that an UNCLAIM_SEATS is about, which need not say for which app; nil of everything else. To be used for nothing but the
    /// look-up.
    package var unverifiedSeats: [String]? { AppleNotification.Body.unclaimedSeats(in: token.payload) }

    /// The app it claims to be about; to be used for nothing but the look-up.
    package var unverifiedBundleID: String? {
        get throws(GatewayError) { try AppleNotification.Body.bundleID(in: token.payload) }
    }
}
