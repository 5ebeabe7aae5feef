/// A JWT in its compact form, split and not yet believed (RFC 7515, 7.1).
struct CompactJWT: Sendable {
    let header: [UInt8]
    let payload: [UInt8]
    /// What the signature is of.
    let signed: [UInt8]
    let signature: [UInt8]

    /// nil for what is no JWT of three base64url parts.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64.decode(url: parts[0]), let payload = Base64.decode(url: parts[1]),
            let signature = Base64.decode(url: parts[2])
        else { return nil }
        (self.header, self.payload, self.signature) = (header, payload, signature)
        signed = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    }
}
