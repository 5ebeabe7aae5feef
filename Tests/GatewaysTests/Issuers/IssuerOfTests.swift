import Billing
import Crypto
import Foundation
import Synchronization
import TestSupport

@testable import Gateways

/// An app's own issuer, which signs tokens; a server of its own publishes its key.
struct IssuerOfTests: Sendable {
    enum Kind: Sendable {
        case es256
        case eddsa
        case hs256
    }

    static let now = Date(timeIntervalSince1970: 1_795_228_800)
    private static let secret = Secret("a secret of the app's, 32 bytes or more")

    let kind: Kind
    let server: KeyServer
    private let verifier: IssuerVerifier
    private let elliptic = P256.Signing.PrivateKey()
    private let edwards = Curve25519.Signing.PrivateKey()

    init(_ kind: Kind) {
        self.kind = kind
        let raw = Array(elliptic.publicKey.rawRepresentation)
        let key =
            switch kind {
            case .es256:
                #""kty":"EC","crv":"P-256","x":"\#(Self.base64(Array(raw.prefix(32))))","y":"\#(Self.base64(Array(raw.suffix(32))))""#
            case .eddsa, .hs256:
                #""kty":"OKP","crv":"Ed25519","x":"\#(Self.base64(Array(edwards.publicKey.rawRepresentation)))""#
            }
        server = KeyServer(key: key)
        verifier = IssuerVerifier(transport: server)
    }

    /// The public texts that a forger could pass off as the shared secret.
    var publicTexts: [Data] {
        [
            elliptic.publicKey.rawRepresentation, elliptic.publicKey.x963Representation,
            elliptic.publicKey.derRepresentation, Data(elliptic.publicKey.pemRepresentation.utf8), Data(),
            Data(server.body.utf8),
        ]
    }

    private var issuer: TokenIssuer {
        let isShared = kind == .hs256
        return TokenIssuer(
            issuer: "https://login.example.com",
            audience: "shop",
            keySetURL: isShared ? nil : "https://login.example.com/keys",
            sharedSecrets: isShared ? [Self.secret] : [],
            algorithms: isShared ? [.hs256] : TokenIssuer.Algorithm.ofKeySets
        )
    }

    func verify(_ text: String, later seconds: TimeInterval = 0) async throws -> IssuedIdentity? {
        do throws(JWTError) {
            let token = try JWT(text, longest: IssuerVerifier.longestToken)
            return try await verifier.verify(token, by: issuer, at: Self.now.addingTimeInterval(seconds))
        } catch {
            guard error.code != .unreachable else { throw error }
            return nil
        }
    }

    /// - Parameters:
    ///   - header: the header; nil for the right one.
    ///   - claims: claims to replace or to add.
    func token(header: JSON? = nil, _ claims: [String: JSON] = [:]) throws -> String {
        let text = try signingInput(header: header ?? ["alg": .string(algorithm), "kid": "k1"], claims)
        return "\(text).\(Self.base64(Array(try signature(of: Data(text.utf8)))))"
    }

    private var algorithm: String {
        switch kind {
        case .es256: "ES256"
        case .eddsa: "EdDSA"
        case .hs256: "HS256"
        }
    }

    private func signature(of input: Data) throws -> Data {
        switch kind {
        case .es256: try elliptic.signature(for: input).rawRepresentation
        case .eddsa: try edwards.signature(for: input)
        case .hs256:
            Data(
                HMAC<SHA256>.authenticationCode(
                    for: input,
                    using: SymmetricKey(data: Data(Self.secret.revealed.utf8))
                )
            )
        }
    }

    /// Forged tokens of this issuer.
    var forged: ForgedTokens {
        let start = Int64(Self.now.timeIntervalSince1970)
        return ForgedTokens(
            algorithm: algorithm,
            keyID: "k1",
            claims: [
                ("iss", #""https://login.example.com""#), ("aud", #""shop""#), ("sub", #""user-1""#),
                ("iat", "\(start)"), ("exp", "\(start + 3_600)"),
            ],
            now: Self.now,
            publicKeys: publicTexts + [edwards.publicKey.rawRepresentation],
            // Shared secrets have no ids.
            ignoring: kind == .hs256 ? [.keyID] : [],
            sign: { try signature(of: $0) }
        )
    }

    func signingInput(header: JSON, _ claims: [String: JSON]) throws -> String {
        let start = Int64(Self.now.timeIntervalSince1970)
        var payload: JSON = [
            "iss": "https://login.example.com", "aud": "shop", "sub": "user-1", "iat": .integer(start),
            "exp": .integer(start + 3_600),
        ]
        for (name, value) in claims { payload[name] = value }
        return "\(Self.base64(header.bytes)).\(Self.base64(payload.bytes))"
    }

    static func base64(_ bytes: [UInt8]) -> String { String(decoding: Base64.encode(url: bytes), as: UTF8.self) }
}

/// Serves an issuer's only key.
final class KeyServer: StoreTransport {
    private struct State {
        var body: String
        var asked = 0
        var isDown = false
    }

    private let key: String
    private let state: Mutex<State>

    init(key: String) {
        self.key = key
        state = Mutex(State(body: #"{"keys":[{\#(key),"kid":"k1","use":"sig"}]}"#))
    }

    var asked: Int { state.withLock { $0.asked } }

    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    var body: String {
        get { state.withLock { $0.body } }
        set { state.withLock { $0.body = newValue } }
    }

    /// The same key for another use than signatures.
    var encrypting: String { #"{"keys":[{\#(key),"kid":"k1","use":"enc"}]}"# }

    func rename(to id: String) {
        body = #"{"keys":[{\#(key),"kid":"\#(id)"}]}"#
    }

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        let (body, isDown) = state.withLock { state in
            state.asked += 1
            return (state.body, state.isDown)
        }
        guard !isDown else { throw GatewayError(.unreachable, "Nobody answers.") }
        return StoreResponse(status: 200, body: Data(body.utf8))
    }
}
