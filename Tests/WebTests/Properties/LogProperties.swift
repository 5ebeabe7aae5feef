import Billing
import Foundation
import Gateways
import HTTPTypes
import Logging
import NIOCore
import Operations
import Postgres
import RouterTesting
import Server
import Storage
import Synchronization
import Testing

@testable import Desk
@testable import HTTP

/// Checks the lightgallery document's property of the log on calls of many made-up people to one site. A failure prints its seed.
@Suite("properties of the lightgallery document: the log") struct LogProperties {
    static let seeds: Range<UInt64> = 0..<100

    @Test("Property 38: Log Sanitization")
    func sanitized() async throws {
        let log = CapturedLog()
        let gateways = StoreGateways(AuthProvider.allCases.map(ScriptedProvider.init))
        try await TestSite.run(gateways: gateways, logger: log.logger) { site in
            try await site.addStaff(.admin)
            _ = try await site.pool.query(
                """
                INSERT INTO store_accounts (app_id, store, identifier, environment)
                VALUES (\(TestSite.readmigoID), 'wechat', 'id', 'store')
                """
            )
            var secrets: [(seed: UInt64, text: String)] = []
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                // From here on the database refuses writes about customers: the log says why, but not of whom.
                if seed == 80 { try await Self.breakCustomers(site) }
                let caller = LoggedCaller(site: site, mark: random.mark())
                secrets.append((seed, caller.mark))
                secrets += try await caller.callAsCustomer().map { (seed, $0) }
                try await caller.callAsAnybody()
                if seed.isMultiple(of: 10) { try await caller.callAsStaff() }
            }
            let lines = log.lines
            // Every mark, access token and refresh token begins with one of these, in whatever case it is logged.
            let suspects = lines.map { $0.lowercased() }.filter { line in
                ["zq", "eyj", "prt_"].contains { line.contains($0) }
            }
            for (seed, secret) in secrets {
                let found = suspects.filter { $0.contains(secret.lowercased()) }
                #expect(found.isEmpty, "seed \(seed): \(found.prefix(3).map { $0.prefix(600) })")
            }
            // Otherwise there was nothing to check: each refusal has a line, and each call that failed.
            #expect(lines.count { $0.contains("a request was refused") } > 1_000)
            #expect(lines.count { $0.contains("a request failed") && $0.contains("nobody_is_called_so") } >= 20)
        }
    }

    private static func breakCustomers(_ site: TestSite) async throws {
        try await site.pool.withConnection { connection in
            try await connection.execute(
                script:
                    "ALTER TABLE customers ADD CONSTRAINT nobody_is_called_so CHECK (name NOT LIKE '%zq%') NOT VALID"
            )
        }
    }
}

/// A made-up caller whose data all carries one mark, and who sends it wherever data can be sent.
private struct LoggedCaller {
    let site: TestSite
    let mark: String

    /// Signs in, sets a profile and pays; returns the secrets that the caller got.
    func callAsCustomer() async throws -> [String] {
        let exchange = "/api/v1/auth/oauth/exchange"
        let body = #"{"provider":"wechat","code":"\#(mark)#1","displayName":"\#(mark) Yılmaz"}"#
        let signedIn = try await ask(.post, exchange, app: "readmigo", body: body)
        // A name that the database refuses signs nobody in.
        let token: String
        var secrets: [String] = []
        if signedIn.status == .ok {
            let object = try signedIn.object()
            token = try #require(object["accessToken"] as? String)
            let refresh = try #require(object["refreshToken"] as? String)
            secrets = [token, refresh]
            let renewed = try await ask(.post, "/api/v1/auth/token/refresh", body: #"{"refreshToken":"\#(refresh)"}"#)
            #expect(renewed.status == .ok)
        } else {
            #expect(signedIn.status == .internalServerError)
            token = try await CustomerCalls(site: site).nobody()
        }
        let profile = "/api/v1/user/profile"
        let name =
            #"{"displayName":"\#(mark)","email":"\#(mark)@example.com","avatarURL":"https://example.com/\#(mark)"}"#
        for body in [name, #"{"displayName":"\#(mark)\n","email":"\#(mark)@@"}"#, #"{"displayName":{"\#(mark)":1}}"#] {
            _ = try await ask(.put, profile, token: token, body: body)
        }
        for proof in [
            #""transactionId":"\#(mark)""#, #""signedTransactions":["\#(mark).\#(mark).\#(mark)"]"#,
            #""receiptData":"\#(mark)""#, #""productId":"\#(mark)""#, #""paymentMethod":"\#(mark)""#,
        ] {
            let method = proof.contains("paymentMethod") ? "" : #""paymentMethod":"apple_iap","#
            _ = try await ask(.post, "/api/v1/subscription/verify", token: token, body: "{\(method)\(proof)}")
        }
        _ = try await ask(.post, "/promo-codes/redeem", token: token, body: #"{"code":"\#(mark)"}"#)
        _ = try await ask(.post, "/usage/\(mark)", token: token, key: mark, body: #"{"amount":"\#(mark)"}"#)
        _ = try await ask(.get, "/entitlements/\(mark)?email=\(mark)%40example.com", token: token)
        return secrets
    }

    /// Sends bad tokens, codes and messages.
    func callAsAnybody() async throws {
        for body in [
            #"{"provider":"wechat","code":"invalid#\#(mark)"}"#, #"{"provider":"wechat","code":"away#\#(mark)"}"#,
            #"{"provider":"apple","identityToken":"\#(mark).\#(mark).\#(mark)","nonce":"\#(mark)"}"#,
            #"{"provider":"\#(mark)"}"#, #"{"provider":["\#(mark)"]"#,
        ] {
            _ = try await ask(.post, "/api/v1/auth/oauth/exchange", app: "readmigo", body: body)
        }
        _ = try await ask(.post, "/api/v1/auth/token/refresh", body: #"{"refreshToken":"prt_\#(mark)"}"#)
        for (token, path) in [
            (mark, "/entitlements"), ("\(mark).\(mark).\(mark)", "/api/v1/user/profile"),
            ("pst_\(mark)", "/admin/orders"),
            ("psk_\(mark)", "/customers/\(mark)/entitlements"),
        ] {
            _ = try await ask(.get, path, token: token)
        }
        _ = try await ask(.post, "/webhooks/apple", body: #"{"signedPayload":"\#(mark).\#(mark).\#(mark)"}"#)
        _ = try await ask(.get, "/\(mark)?token=\(mark)")
        _ = try await ask(.get, "/entitlements", app: mark)
    }

    /// Signs in to the dashboard with a wrong password, and searches for somebody.
    func callAsStaff() async throws {
        let mark = mark
        try await site.app.test(.router) { client async throws in
            let browser = Browser(client)
            _ = try await browser.signIn("\(mark)@example.com", "the password \(mark)")
            _ = try await browser.signIn("admin@example.com", "the password \(mark)")
            _ = try await browser.signIn("admin@example.com")
            _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
            for list in ["customers", "orders", "subscriptions"] {
                _ = try await browser.get("/dashboard/\(list)?q=\(mark)&after=\(mark)")
            }
            _ = try await browser.get("/dashboard/customers/\(mark)")
        }
    }

    private func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        token: String? = nil,
        app: String? = nil,
        key: String? = nil,
        body: String? = nil
    ) async throws -> CustomerCalls.Answer {
        try await CustomerCalls(site: site).ask(method, path, token: token, app: app, key: key, body: body)
    }
}

/// Captures all that a site logs, at every level, as the lines of the log.
private final class CapturedLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    var logger: Logger {
        var logger = Logger(label: "perennial") { label in
            LineLogHandler(label: label) { line in self.kept.withLock { $0.append(line) } }
        }
        logger.logLevel = .trace
        return logger
    }
}
