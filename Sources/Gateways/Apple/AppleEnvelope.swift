/// A notification taken apart and not yet verified: enough to find out which app's setting to verify it with.
package struct AppleEnvelope: Sendable {
    let token: AppleToken

    /// - Throws: `.malformed`, `.unsupportedAlgorithm` or `.invalidChain` for what no setting would accept.
    package init(_ signedPayload: String) throws(GatewayError) {
        token = try AppleToken(signedPayload)
    }

    /// The app it claims to be about; to be used for nothing but the look-up.
    package var unverifiedBundleID: String? {
        get throws(GatewayError) { try AppleNotification.Body.bundleID(in: token.payload) }
    }
}

/// A look at an unverified notification to find the app whose setting verifies it.
package enum ApplePeek {
    /// The bundle id that the payload claims; nothing else of it is to be trusted.
    package static func bundleID(ofUnverified signedPayload: String) throws(GatewayError) -> String? {
        try AppleEnvelope(signedPayload).unverifiedBundleID
    }
}
