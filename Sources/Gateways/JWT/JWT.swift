/// A JWT in its compact form, taken apart and not yet believed (RFC 7519, RFC 7515).
///
/// It is read strictly: three parts of base64url without padding, two objects in which nothing is named twice, no extension that has
/// to be understood (RFC 7515, 4.1.11).
package struct JWT: Sendable {
    /// `alg`: to be compared with what a key is for, never to choose by.
    let algorithm: String
    /// `typ`.
    let type: String?
    /// `kid`.
    package let keyID: String?
    /// To be used for nothing but the look-up of whose keys it has to be signed with.
    package let claims: JWTClaims
    /// The signed bytes.
    let signed: [UInt8]
    let signature: [UInt8]

    /// - Parameter longest: the largest length in bytes.
    /// - Throws: `.malformed`, `.unsupportedAlgorithm`.
    package init(_ text: String, longest: Int) throws(JWTError) {
        guard text.utf8.count <= longest else { throw JWTError(.malformed, "The token is too long.") }
        let dot = UInt8(ascii: ".")
        let parts = text.utf8.split(separator: dot, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64.decode(url: parts[0]), let claims = Base64.decode(url: parts[1]),
            let signature = Base64.decode(url: parts[2])
        else { throw JWTError(.malformed, "The token is not a JWT of three base64url parts.") }
        signed = Array(parts[0]) + [dot] + Array(parts[1])
        let head = try Self.object(header, "header")
        guard head["crit"] == nil else {
            throw JWTError(.unsupportedAlgorithm, "The header demands an extension that is not known here.")
        }
        guard let algorithm = head["alg"]?.string else {
            throw JWTError(.unsupportedAlgorithm, "The token does not say how it is signed.", field: "alg")
        }
        switch head["kid"] {
        case nil, .null: keyID = nil
        case .string(let id): keyID = id
        default: throw JWTError(.malformed, "The id of the token's key is not a text.", field: "kid")
        }
        self.algorithm = algorithm
        type = head["typ"]?.string
        self.claims = try JWTClaims(try Self.object(claims, "payload"))
        self.signature = signature
    }

    private static func object(_ bytes: [UInt8], _ part: StaticString) throws(JWTError) -> JSON {
        let json: JSON
        do {
            json = try JSON(parsing: bytes)
        } catch {
            throw JWTError(.malformed, "The \(part) of the token is not JSON.", underlying: error)
        }
        guard case .object = json else { throw JWTError(.malformed, "The \(part) of the token is not an object.") }
        // A signer and a reader could each take another of the two.
        guard !json.repeatsName else { throw JWTError(.malformed, "The \(part) of the token names something twice.") }
        return json
    }
}

extension JSON {
    /// True where an object in it has two members of one name.
    fileprivate var repeatsName: Bool {
        switch self {
        case .null, .bool, .integer, .number, .string: false
        case .array(let elements): elements.contains(where: \.repeatsName)
        case .object(let members):
            Set(members.map(\.name)).count != members.count || members.contains(where: \.value.repeatsName)
        }
    }
}
