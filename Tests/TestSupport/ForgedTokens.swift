import Crypto
package import Foundation

/// Forged tokens, made of a good one and its key. A verifier that accepts any of them can be deceived.
package struct ForgedTokens: Sendable {
    /// The name in `alg` that the key is for.
    let algorithm: String
    let keyID: String
    /// The claims of the good token: names, and values in JSON.
    let claims: [(name: String, value: String)]
    /// The time at which it is verified, in seconds since 1970.
    let now: Int64
    let publicKeys: [Data]
    let ignores: Set<Rule>
    private let sign: @Sendable (Data) throws -> Data

    /// Rules that not every verifier has to keep.
    package enum Rule: Sendable {
        /// The key that a token names, where all are tried.
        case keyID
        /// The audience.
        case audience
        /// The time of issue.
        case issuedAt
    }

    /// - Parameters:
    ///   - claims: the claims of a good token, values in JSON.
    ///   - publicKeys: the public key, in each form that could be taken for a shared secret.
    ///   - sign: signs with the good key.
    package init(
        algorithm: String,
        keyID: String,
        claims: [(name: String, value: String)],
        now: Date,
        publicKeys: [Data],
        ignoring ignores: Set<Rule> = [],
        sign: @escaping @Sendable (Data) throws -> Data
    ) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.claims = claims
        self.now = Int64(now.timeIntervalSince1970)
        self.publicKeys = publicKeys
        self.ignores = ignores
        self.sign = sign
    }

    /// Returns the good token.
    package func genuine() throws -> String { try token() }

    /// Returns all forged tokens, each with its fault.
    package func all() throws -> [(name: String, token: String)] {
        try headers() + signatures() + encodings() + contents()
    }

    /// Returns a token that the good key signed, with any contents.
    ///
    /// - Parameters:
    ///   - header: JSON, or any text in its place; nil for the good token's.
    ///   - payload: the claims, likewise.
    func token(header: String? = nil, payload: String? = nil) throws -> String {
        let input = input(header: header, payload: payload)
        return input + "." + Self.base64(try sign(Data(input.utf8)))
    }

    func input(header: String? = nil, payload: String? = nil) -> String {
        Self.base64(Data((header ?? self.header()).utf8)) + "." + Self.base64(Data((payload ?? self.payload()).utf8))
    }

    /// - Parameters:
    ///   - changes: values in JSON by name, "" for a member that is left out.
    ///   - more: further members, after the others.
    func header(_ changes: [String: String] = [:], more: String = "") -> String {
        let members = [("alg", "\"\(algorithm)\""), ("kid", "\"\(keyID)\""), ("typ", "\"JWT\"")]
        return Self.object(members, changes, more)
    }

    func payload(_ changes: [String: String] = [:], more: String = "") -> String {
        Self.object(claims, changes, more)
    }

    private static func object(
        _ members: [(name: String, value: String)],
        _ changes: [String: String],
        _ more: String
    ) -> String {
        let added = changes.keys.filter { name in !members.contains { $0.name == name } }.sorted()
        let texts = (members.map(\.name) + added).compactMap { name -> String? in
            let value = changes[name] ?? members.first { $0.name == name }?.value ?? ""
            return value.isEmpty ? nil : "\"\(name)\":\(value)"
        }
        return "{" + (texts + (more.isEmpty ? [] : [more])).joined(separator: ",") + "}"
    }

    static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    static func bytes(_ text: String) -> Data {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)) ?? Data()
    }
}
