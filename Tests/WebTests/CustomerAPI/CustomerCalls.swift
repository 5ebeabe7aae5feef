import Billing
import Foundation
import Gateways
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

/// Makes an app's calls for its customers, for the tests of the documents' shapes.
struct CustomerCalls: Sendable {
    let site: TestSite

    struct Answer: Sendable {
        let status: HTTPResponse.Status
        let body: Data
        let headers: HTTPFields

        func object() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        }

        func list() throws -> [[String: Any]] {
            try #require(try JSONSerialization.jsonObject(with: body) as? [[String: Any]])
        }

        /// Returns the fields at fault.
        func fields() throws -> [String] {
            ((try object()["errors"] as? [[String: Any]]) ?? []).compactMap { $0["field"] as? String }
        }
    }

    /// Runs a test on a site whose catalogue gives everybody FREE and sells PRO, with a customer who bought it.
    static func run(
        trustedProxies: TrustedProxies = .none,
        rateLimits: RateLimits = .off,
        acquireTimeout: Duration = .seconds(30),
        gateways: StoreGateways = .shipped,
        _ body: @Sendable (CustomerCalls) async throws -> Void
    ) async throws {
        try await TestSite.run(
            trustedProxies: trustedProxies,
            acquireTimeout: acquireTimeout,
            gateways: gateways,
            rateLimits: rateLimits
        ) { site in
            try await site.addOrders(1)
            try await CustomersTests.addSubscription(site)
            try await site.pool.withConnection { connection in
                try await connection.execute(script: Self.catalogue)
            }
            try await body(CustomerCalls(site: site))
        }
    }

    /// Returns a token of the customer who bought PRO at Apple: from 1 November to 1 December 2026, and it renews.
    func buyer() async throws -> String {
        try await token(of: try #require(Customer.ID(TestSite.customer)))
    }

    /// Returns a token of a customer who never had anything.
    func nobody() async throws -> String {
        try await site.backOffice.mintToken(
            for: CustomerIdentity(externalID: "nobody", isAnonymous: false),
            of: TestSite.readmigoID,
            caller: .commandLine
        ).accessToken.revealed
    }

    /// Returns a token of a customer to whom staff granted PRO.
    func given() async throws -> String {
        let token = try await nobody()
        try await give(token)
        return token
    }

    /// Grants PRO to the token's customer, as staff would.
    func give(_ token: String) async throws {
        let session = try #require(try await site.backOffice.customerSession(token))
        _ = try await site.pool.query(
            """
            INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, created_at, updated_at)
            VALUES (gen_random_uuid(), \(TestSite.readmigoID), \(session.customer), '00000000-0000-7000-8000-0000000000a1',
                'complimentary', '2026-11-01T00:00:00Z', '2027-01-01T00:00:00Z', now(), now())
            """
        )
    }

    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        token: String? = nil,
        app: String? = nil,
        language: String? = nil,
        key: String? = nil,
        headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> Answer {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        if let app { headers[.app] = app }
        if let language { headers[.acceptLanguage] = language }
        if let key { headers[.idempotencyKey] = key }
        if body != nil { headers[.contentType] = "application/json" }
        let asked = headers
        return try await site.app.test(.router) { client in
            let response = try await client.executeRequest(
                uri: path,
                method: method,
                headers: asked,
                body: body.map { ByteBuffer(string: $0) }
            )
            return Answer(status: response.status, body: Data(buffer: response.body), headers: response.headers)
        }
    }

    private func token(of customer: Customer.ID) async throws -> String {
        try await site.backOffice.beginSession(by: .apple, for: customer, of: TestSite.readmigoID).accessToken.revealed
    }

    private static let catalogue = """
        INSERT INTO plans (id, app_id, code, name, rank)
        VALUES ('00000000-0000-7000-8000-0000000000a0', '\(TestSite.readmigo)', 'FREE', 'Free', 0);
        INSERT INTO product_prices (product_id, currency, minor_units)
        VALUES ('00000000-0000-7000-8000-0000000000b1', 'CNY', 12800),
            ('00000000-0000-7000-8000-0000000000b1', 'USD', 999),
            ('00000000-0000-7000-8000-0000000000b1', 'TRY', 4999);
        INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-0000000000b2', '\(TestSite.readmigo)', '00000000-0000-7000-8000-0000000000a1',
            'apple', 'com.readmigo.pro.forever', 'Pro for ever', now(), now());
        UPDATE subscriptions
        SET transaction_id = '2000000123456789', last_signed_at = '2026-11-02T03:04:05Z', started_at = '2026-01-01T00:00:00Z',
            period_starts_at = '2026-11-01T00:00:00Z', period_ends_at = '2026-12-01T00:00:00Z';
        """

    /// JSON values of a member that are no text of 1 to 255 characters.
    static let noTexts = [
        "\"\"", "-9223372036854775808", "10000000000000000000", "1.5", "\"1\\u0000\"",
        "\"\(String(repeating: "9", count: 100_000))\"",
    ]
}
