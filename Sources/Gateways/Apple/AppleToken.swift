/// A compact JWS as Apple sends it, taken apart and not yet believed.
struct AppleToken: Sendable {
    /// `header.payload`, which the signature is over.
    let signingInput: ArraySlice<UInt8>
    let header: Header
    let payload: JSON
    let signature: [UInt8]

    private let headerText: String

    /// - Parameter sibling: a token of the same message; its header is taken over when the text is the same.
    init(_ text: String, besides sibling: AppleToken? = nil) throws(GatewayError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { throw GatewayError(.malformed, "The message is too long.") }
        let dot = UInt8(ascii: ".")
        // Any further dot is a foreign letter to what decodes the payload.
        guard let first = bytes.firstIndex(of: dot), let last = bytes.lastIndex(of: dot), first < last else {
            throw GatewayError(.malformed, "The message is not a JWS of three parts.")
        }
        guard let payload = Base64.decode(url: bytes[(first + 1)..<last]),
            let signature = Base64.decode(url: bytes[(last + 1)...])
        else { throw GatewayError(.malformed, "The message is not a JWS of three base64url parts.") }
        headerText = String(decoding: bytes[..<first], as: UTF8.self)
        // Strings compare by Unicode's equivalences; only in ASCII are equal ones the same bytes.
        guard Self.isASCII(headerText) else {
            throw GatewayError(.malformed, "The header of the message is not base64url.")
        }
        if let sibling, sibling.headerText == headerText {
            header = sibling.header
        } else {
            header = try Header(bytes[..<first])  // safe: a place in them
        }
        signingInput = bytes[..<last]  // safe: a place in them
        self.payload = try JSON(parsing: payload)
        self.signature = signature
    }

    func hasHeader(of other: AppleToken) -> Bool {
        headerText == other.headerText
    }

    /// Whatever is not ASCII has more bytes than UTF-16 units; of a text in ASCII Swift has known that since it made it.
    private static func isASCII(_ text: String) -> Bool {
        text.utf8.count == text.utf16.count
    }

    /// Apple's longest messages are 20 kB.
    private static let maximumLength = 1 << 20

    /// The part that says how it was signed and by whom.
    struct Header: Sendable {
        /// Strict base64 of a certificate, if it is one.
        let leaf: String
        let intermediate: String
        /// Possibly anything; only its fingerprint is ever looked at.
        let root: String

        init(_ text: ArraySlice<UInt8>) throws(GatewayError) {
            guard let bytes = Base64.decode(url: text) else {
                throw GatewayError(.malformed, "A part of the message is not base64url.")
            }
            let fields = try JSONFields(try JSON(parsing: bytes), of: "header")
            guard try fields.string("alg") == "ES256" else {
                throw GatewayError(.unsupportedAlgorithm, "The message is not signed with ES256.")
            }
            guard fields.value("crit") == nil else {
                throw GatewayError(.unsupportedAlgorithm, "The header demands an extension that is not known here.")
            }
            guard let chain = try fields.strings("x5c"), chain.count == 3 else {
                throw GatewayError(.invalidChain, "The header does not carry a chain of three certificates.")
            }
            guard AppleToken.isASCII(chain[0]), AppleToken.isASCII(chain[1]) else {
                throw GatewayError(.invalidChain, "A certificate of the header is not base64.")
            }
            leaf = chain[0]
            intermediate = chain[1]
            root = chain[2]
        }
    }
}
