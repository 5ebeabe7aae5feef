import Billing
import Foundation
import Gateways
import HTTPTypes
import Operations
import Postgres
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

/// Checks the lightgallery document's properties of tokens and refused sign-ins over HTTP, on many made-up attempts at one site. A
/// failure prints its seed.
@Suite("properties of the lightgallery document: tokens over HTTP") struct TokenProperties {
    static let seeds: Range<UInt64> = 0..<120

    @Test("Property 33: Network Error Distinction, of sign-ins")
    func awayProviders() async throws {
        let gateways = StoreGateways(AuthProvider.allCases.map(ScriptedProvider.init))
        try await TestSite.run(gateways: gateways) { site in
            for provider in AuthProvider.allCases {
                _ = try await site.pool.query(
                    """
                    INSERT INTO store_accounts (app_id, store, identifier, environment)
                    VALUES (\(TestSite.readmigoID), \(provider.store.rawValue), 'id', 'store')
                    """
                )
            }
            let calls = CustomerCalls(site: site)
            var (away, refused): (Set<String>, Set<String>) = ([], [])
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let provider = try #require(AuthProvider.allCases.randomElement(using: &random))
                let kind = try #require(["away", "invalid", "denied"].randomElement(using: &random))
                let language = ["en", "zh-CN", "tr"].randomElement(using: &random) ?? "en"
                let answer = try await calls.ask(
                    .post,
                    "/api/v1/auth/oauth/exchange",
                    app: "readmigo",
                    language: language,
                    body: #"{"provider":"\#(provider.rawValue)","code":"\#(kind)#\#(seed)"}"#
                )
                let object = try answer.object()
                let message = try #require(object["message"] as? String)
                #expect((answer.status == .serviceUnavailable) == (kind == "away"), "seed \(seed)")
                #expect((answer.headers[.retryAfter] != nil) == (kind == "away"), "seed \(seed)")
                let code = object["code"] as? String
                #expect(code == (kind == "away" ? "networkError" : "oauthFailed"), "seed \(seed)")
                if kind == "away" { away.insert(message) } else { refused.insert(message) }
            }
            // No text in any language means both.
            #expect(away.count >= 3 && refused.count >= 3)
            #expect(away.isDisjoint(with: refused))
            #expect(try await site.count("customers") == 0)
        }
    }

    /// Checks that such a token opens nothing; clearing the device is the client library's part.
    @Test("Property 5: Invalid Token Cleanup")
    func opensNothing() async throws {
        try await CustomerCalls.run { calls in
            let routes = calls.site.map.operations.filter { $0.access == .customer }
            #expect(routes.count > 20)
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let good = try await calls.token(of: "customer \(seed)")
                let end = try #require(TokenEnd.allCases.randomElement(using: &random))
                let path = "/entitlements"
                #expect(try await calls.ask(.get, path, token: good).status == .ok, "seed \(seed)")
                let token = try await end.apply(to: good, calls, using: &random)
                let route = try #require(routes.randomElement(using: &random))
                let target = route.path.replacing(/\{[^}]*\}/, with: TestSite.customer)
                for (method, path) in [(route.method, target), (.get, path)] {
                    // A deletion whose answer was lost may be sent again; it does nothing then.
                    if end == .deleted, path == "/api/v1/auth/account" { continue }
                    let answer = try await calls.ask(method, path, token: token, body: method == .get ? nil : "{}")
                    #expect(answer.status == .unauthorized, "seed \(seed): \(end), \(method) \(path)")
                    let code = try answer.object()["code"] as? String
                    // The changed claim can be the time of expiry.
                    let codes = end == .changedClaims ? ["tokenExpired", "tokenInvalid"] : [end.code]
                    #expect(code.map(codes.contains) == true, "seed \(seed): \(end), \(path)")
                }
            }
        }
    }
}

/// The way in which a good token became a bad one.
private enum TokenEnd: CaseIterable {
    case expired
    case signedOut
    case deleted
    case changedClaims
    case changedSignature
    case exchangedSignature
    case unsigned
    case cut

    /// The code that tells the device to refresh or to sign in anew.
    var code: String { self == .expired ? "tokenExpired" : "tokenInvalid" }

    func apply(to good: String, _ calls: CustomerCalls, using random: inout SeededGenerator) async throws -> String {
        var parts = good.split(separator: ".").map(String.init)
        switch self {
        case .expired:
            calls.site.clock.advance(by: AccessTokens.lifetime + Double.random(in: 0...100_000, using: &random))
            return good
        case .signedOut:
            #expect(try await calls.ask(.post, "/api/v1/auth/logout", token: good).status == .noContent)
            return good
        case .deleted:
            #expect(try await calls.ask(.delete, "/api/v1/auth/account", token: good).status == .noContent)
            return good
        case .changedClaims: parts[1] = Self.changed(parts[1], using: &random)
        case .changedSignature: parts[2] = Self.changed(parts[2], using: &random)
        case .exchangedSignature:
            let other = try await calls.token(of: "another")
            parts[2] = String(other.split(separator: ".")[2])
        case .unsigned:
            let header = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString()
            return [header.replacing("=", with: ""), parts[1], ["", parts[2]].randomElement(using: &random) ?? ""]
                .joined(separator: ".")
        case .cut: return String(good.prefix(Int.random(in: 1..<good.count - 2, using: &random)))
        }
        return parts.joined(separator: ".")
    }

    /// Returns a text with one letter changed; not the last, some of whose bits mean nothing.
    private static func changed(_ text: String, using random: inout SeededGenerator) -> String {
        var letters = Array(text)
        let place = Int.random(in: 0..<letters.count - 1, using: &random)
        let others = "ABCDwxyz0189-_".filter { $0 != letters[place] }
        letters[place] = others.randomElement(using: &random) ?? "A"
        return String(letters)
    }
}

extension CustomerCalls {
    fileprivate func token(of customer: String) async throws -> String {
        try await site.backOffice.mintToken(
            for: CustomerIdentity(externalID: customer, isAnonymous: false),
            of: TestSite.readmigoID,
            caller: .commandLine
        ).accessToken.revealed
    }
}
