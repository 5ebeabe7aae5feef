import Billing
import Foundation
import HTTP
import Operations

/// The pages that may call, and the issuer whose tokens open the app.
extension CatalogFile {
    private static let mostOrigins = 100

    /// As browsers send them in `Origin` (RFC 6454, 6.2).
    func origins() throws -> [String] {
        let origins = cors ?? []
        guard origins.count <= Self.mostOrigins else {
            throw invalid("cors", "has at most \(Self.mostOrigins) origins")
        }
        for (index, origin) in origins.enumerated() { try check(origin: origin, "cors[\(index)]") }
        guard Set(origins).count == origins.count else { throw invalid("cors", "has an origin twice") }
        return origins
    }

    func issuer(_ tokens: Tokens, relativeTo folder: URL) throws -> TokenIssuer {
        var issuer = TokenIssuer(
            issuer: try text(tokens.issuer, "tokens.issuer"),
            audience: try text(tokens.audience, "tokens.audience"),
            algorithms: [],
            claim: try text(tokens.claim ?? "sub", "tokens.claim"),
            leeway: try number(tokens.leewaySeconds ?? 60, TokenIssuer.leeways, "tokens.leewaySeconds"),
            longestLifetime: try number(
                tokens.longestLifetimeSeconds ?? 86_400,
                TokenIssuer.lifetimes,
                "tokens.longestLifetimeSeconds"
            )
        )
        switch (tokens.jwks, tokens.sharedSecret) {
        case (let url?, nil):
            issuer.keySetURL = try keySet(at: url)
            issuer.algorithms = try algorithms(tokens.algorithms, of: TokenIssuer.Algorithm.ofKeySets, "with jwks")
        case (nil, let reference?):
            issuer.sharedSecrets = [try sharedSecret(reference, relativeTo: folder)]
            issuer.algorithms = try algorithms(tokens.algorithms, of: [.hs256], "with sharedSecret")
        // Staff upload the secret.
        case (nil, nil) where tokens.algorithms == [TokenIssuer.Algorithm.hs256.rawValue]:
            issuer.algorithms = [.hs256]
        case (nil, nil):
            throw invalid("tokens", "needs jwks or sharedSecret, or algorithms: [HS256] where staff upload the secret")
        default: throw invalid("tokens.sharedSecret", "is not there beside jwks: name one of them")
        }
        return issuer
    }

    private func check(origin: String, _ path: String) throws {
        guard !origin.contains("*") else {
            throw invalid(path, "is one origin: without *, which would let in pages of others")
        }
        let lowercase =
            "is an origin in lower case as browsers send it, such as https://app.example.com, without a path or the usual port"
        guard origin.utf8.count <= 200, origin.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let url = URLComponents(string: origin), let scheme = url.scheme, let host = url.host, !host.isEmpty,
            origin == "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")", origin == origin.lowercased(),
            (1...65_535).contains(url.port ?? 1), url.port != (scheme == "https" ? 443 : 80)
        else { throw invalid(path, lowercase) }
        guard scheme == "https" || scheme == "http" && Loopback.isLoopback(host: host) else {
            throw invalid(path, "begins with https://; http:// is for pages of this machine itself")
        }
    }

    private func keySet(at url: String) throws -> String {
        let path = "tokens.jwks"
        guard try text(url, path).utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: url),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.fragment == nil
        else { throw invalid(path, "is a URL such as https://login.example.com/.well-known/jwks.json") }
        guard parts.scheme == "https" || parts.scheme == "http" && Loopback.isLoopback(host: host) else {
            throw invalid(path, "begins with https://; http:// is for an issuer on this machine itself")
        }
        return url
    }

    private func algorithms(
        _ names: [String]?,
        of allowed: [TokenIssuer.Algorithm],
        _ condition: String
    ) throws -> [TokenIssuer.Algorithm] {
        guard let names else { return allowed }
        let found = names.compactMap { name in allowed.first { $0.rawValue == name } }
        guard !names.isEmpty, found.count == names.count, Set(found).count == found.count else {
            let list = allowed.map(\.rawValue).joined(separator: ", ")
            throw invalid("tokens.algorithms", "is a list of \(list) \(condition)")
        }
        return found
    }

    private func sharedSecret(_ reference: String, relativeTo folder: URL) throws -> Secret {
        let path = "tokens.sharedSecret"
        let secret = try secret(reference, path, relativeTo: folder)
        guard secret.revealed.utf8.count >= TokenIssuer.shortestSecret else {
            throw invalid(path, "has at least \(TokenIssuer.shortestSecret) characters")
        }
        return secret
    }
}
