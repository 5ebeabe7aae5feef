/// A JWT as Apple's sign-in issues it, taken apart and not yet believed.
struct AppleIDToken: Sendable {
    let keyID: String
    let payload: JSON
    /// What the signature is of.
    let signed: [UInt8]
    let signature: [UInt8]

    /// - Throws: `.malformed` or `.unsupportedAlgorithm`.
    init(_ text: String) throws(AppleSignInError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw AppleSignInError(.malformed, "The token is too long.")
        }
        guard let jwt = CompactJWT(text) else {
            throw AppleSignInError(.malformed, "The token is not a JWT of three base64url parts.")
        }
        (signed, signature) = (jwt.signed, jwt.signature)
        do throws(GatewayError) {
            let fields = try JSONFields(try JSON(parsing: jwt.header), of: "header")
            guard try fields.string("alg") == "RS256" else {
                throw GatewayError(.unsupportedAlgorithm, "The token is not signed with RS256.", field: "alg")
            }
            guard fields.value("crit") == nil else {
                throw GatewayError(.unsupportedAlgorithm, "The header demands an extension that is not known here.")
            }
            guard let keyID = try fields.string("kid"), !keyID.isEmpty else {
                throw GatewayError(.missing, "The token does not say which key it is signed with.", field: "kid")
            }
            self.keyID = keyID
            self.payload = try JSON(parsing: jwt.payload)
        } catch {
            throw AppleSignInError(error)
        }
    }

    /// Apple's have about a thousand letters.
    private static let maximumLength = 1 << 16
}
