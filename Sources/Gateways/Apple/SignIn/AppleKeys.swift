import CryptoExtras
package import Foundation

/// The keys that Apple signs its identity tokens with, fetched when one is met that is not known.
///
/// Apple has several at a time and changes them without a word. An unknown key id makes us ask again, but not more often than
/// every `refetchInterval`: the ids stand in tokens that anybody can make up.
package actor AppleKeys {
    private let transport: any StoreTransport
    private let address: String
    private let refetchInterval: TimeInterval
    private let lifetime: TimeInterval
    private var known: [String: _RSA.Signing.PublicKey] = [:]
    private var fetchedAt: Date?
    private var triedAt: Date?
    private var fetching: Task<[String: _RSA.Signing.PublicKey], any Error>?

    /// - Parameters:
    ///   - address: scheme and host of Apple's sign-in.
    ///   - refetchInterval: seconds between two questions at least.
    ///   - lifetime: seconds after which the keys are asked for anew, so that one that Apple withdrew is forgotten.
    package init(
        transport: any StoreTransport,
        address: String = AppleSignInConfiguration.apple,
        refetchInterval: TimeInterval = 60,
        lifetime: TimeInterval = 86_400
    ) {
        self.transport = transport
        self.address = address
        self.refetchInterval = refetchInterval
        self.lifetime = lifetime
    }

    /// Verifies the token's signature.
    ///
    /// - Throws: `.unknownKey`, `.invalidSignature`, or `.unreachable` when Apple's keys could not be fetched.
    func verify(_ token: AppleIDToken, at now: Date) async throws(AppleSignInError) {
        let key = try await key(token.keyID, at: now)
        guard key.signed(token.signed, as: token.signature) else {
            throw AppleSignInError(.invalidSignature, "Apple did not sign the token.")
        }
    }

    private func key(_ id: String, at now: Date) async throws(AppleSignInError) -> _RSA.Signing.PublicKey {
        let isFresh = fetchedAt.map { (0..<lifetime).contains(now.timeIntervalSince($0)) } ?? false
        if isFresh, let key = known[id] { return key }
        if fetching == nil, let triedAt, (0..<refetchInterval).contains(now.timeIntervalSince(triedAt)) {
            // What was known yesterday is better than nothing while Apple does not answer.
            if let key = known[id] { return key }
            guard isFresh else { throw AppleSignInError(.unreachable, "Apple's keys could not be fetched lately.") }
            throw AppleSignInError(.unknownKey, "The token is signed with a key that is none of Apple's.", field: "kid")
        }
        do {
            known = try await fetch(at: now)
            fetchedAt = now
        } catch {
            if let key = known[id] { return key }
            throw error as? AppleSignInError
                ?? AppleSignInError(.unreachable, "Apple's keys could not be fetched.", underlying: error)
        }
        guard let key = known[id] else {
            throw AppleSignInError(.unknownKey, "The token is signed with a key that is none of Apple's.", field: "kid")
        }
        return key
    }

    /// Who comes while somebody asks waits for the same answer.
    private func fetch(at now: Date) async throws -> [String: _RSA.Signing.PublicKey] {
        if let fetching { return try await fetching.value }
        triedAt = now
        let request = StoreRequest("GET", address + "/auth/keys", headers: ["Accept": "application/json"])
        let task = Task { [transport] in
            let response = try await transport.send(request)
            guard response.status == 200 else {
                throw AppleSignInError(.unreachable, "Apple does not give out its keys (HTTP \(response.status)).")
            }
            return try Self.keys(in: Array(response.body))
        }
        fetching = task
        defer { fetching = nil }
        return try await task.value
    }

    /// The RSA keys for signatures within a JWK set; others are passed over.
    private static func keys(in body: [UInt8]) throws -> [String: _RSA.Signing.PublicKey] {
        guard case .array(let members)? = try JSON(parsing: body)["keys"] else {
            throw AppleSignInError(.unreachable, "Apple's keys cannot be read.")
        }
        var keys: [String: _RSA.Signing.PublicKey] = [:]
        for member in members.prefix(32) {
            guard member["kty"]?.string == "RSA", [nil, "sig"].contains(member["use"]?.string),
                [nil, "RS256"].contains(member["alg"]?.string), let id = member["kid"]?.string,
                let key = _RSA.Signing.PublicKey(jwk: member)
            else { continue }
            keys[id] = key
        }
        guard !keys.isEmpty else { throw AppleSignInError(.unreachable, "Apple's keys cannot be read.") }
        return keys
    }
}
