import Billing
import Foundation

/// The public keys of one issuer, fetched when one is met that is not known.
///
/// An unknown key makes us ask again, but not more often than every `refetchInterval`: the ids stand in tokens that anybody can make up. While
/// the issuer does not answer, what it said last is believed.
actor IssuerKeySet {
    private let transport: any StoreTransport
    private let url: String
    private var known: [IssuerKey] = []
    private var fetchedAt: Date?
    private var triedAt: Date?
    private var fetching: Task<[IssuerKey], any Error>?

    /// Seconds between two questions at least.
    static let refetchInterval: TimeInterval = 30
    /// Seconds after which the keys are asked for anew, so that one that was withdrawn is forgotten.
    static let lifetime: TimeInterval = 900
    private static let mostKeys = 64
    /// In bytes.
    private static let longestAnswer = 256 << 10

    init(_ url: String, transport: any StoreTransport) {
        (self.url, self.transport) = (url, transport)
    }

    /// The keys that a token may be signed with: those of its id, or all of its algorithm where it names none.
    ///
    /// - Throws: `.unreachable` where the issuer was never heard.
    func keys(
        for token: IssuerToken,
        _ algorithm: TokenIssuer.Algorithm,
        at now: Date
    ) async throws(GatewayError)
        -> [IssuerKey]
    {
        let isFresh = fetchedAt.map { (0..<Self.lifetime).contains(now.timeIntervalSince($0)) } ?? false
        let found = matching(token, algorithm)
        if isFresh, !found.isEmpty { return found }
        let wasTried = triedAt.map { (0..<Self.refetchInterval).contains(now.timeIntervalSince($0)) } ?? false
        if fetching == nil, wasTried {
            guard fetchedAt != nil else { throw unreachable() }
            return found
        }
        do {
            known = try await fetch(at: now)
            fetchedAt = now
        } catch {
            guard fetchedAt != nil else { throw unreachable(error) }
        }
        return matching(token, algorithm)
    }

    private func matching(_ token: IssuerToken, _ algorithm: TokenIssuer.Algorithm) -> [IssuerKey] {
        known.filter { $0.algorithm == algorithm && (token.keyID == nil || $0.id == token.keyID) }
    }

    /// Who comes while somebody asks waits for the same answer.
    private func fetch(at now: Date) async throws -> [IssuerKey] {
        if let fetching { return try await fetching.value }
        triedAt = now
        var request = StoreRequest("GET", url, headers: ["Accept": "application/json"], timeout: .seconds(5))
        request.longestAnswer = Self.longestAnswer
        let task = Task { [transport, request] in
            let response = try await transport.send(request)
            guard response.status == 200, case .array(let members)? = try JSON(parsing: Array(response.body))["keys"]
            else {
                throw GatewayError(.unreachable, "The issuer does not give out its keys (HTTP \(response.status)).")
            }
            return members.prefix(Self.mostKeys).compactMap { IssuerKey($0) }
        }
        fetching = task
        defer { fetching = nil }
        return try await task.value
    }

    private func unreachable(_ error: (any Error)? = nil) -> GatewayError {
        GatewayError(.unreachable, "The issuer's keys could not be fetched.", underlying: error)
    }
}
