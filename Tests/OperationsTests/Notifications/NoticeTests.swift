import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("What a store tells of no subscription") struct NoticeTests {
    private func deliver(_ messages: [SimulatedMessage], to office: TestOffice) async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        for message in messages {
            _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
            _ = try await office.worker.drain()
        }
    }

    private func token(_ subtype: String, on day: Double, _ more: [String: JSON] = [:]) -> SimulatedMessage {
        var token: JSON = [
            "externalPurchaseId": "x1", "appAppleId": 1_600_000_001, "bundleId": "com.readmigo.app",
        ]
        for (name, value) in more { token[name] = value }
        return AppleWords.message(
            "EXTERNAL_PURCHASE_TOKEN",
            subtype,
            on: day,
            besides: ["externalPurchaseToken": token]
        )
    }

    private func summary(_ identifier: String, on day: Double, failed: Int64 = 1) -> SimulatedMessage {
        AppleWords.message(
            "RENEWAL_EXTENSION",
            "SUMMARY",
            on: day,
            besides: [
                "summary": [
                    "requestIdentifier": .string(identifier), "environment": "Production",
                    "appAppleId": 1_600_000_001, "bundleId": "com.readmigo.app",
                    "productId": "com.readmigo.pro.monthly", "storefrontCountryCodes": [], "succeededCount": 3,
                    "failedCount": .integer(failed),
                ]
            ]
        )
    }

    private var failure: SimulatedMessage {
        AppleWords.message("RENEWAL_EXTENSION", "FAILURE", on: 9, AppleWords.month, AppleWords.renews())
    }

    private func consent(bundleID: String = "com.readmigo.app", appAppleID: Int64 = 1_600_000_001) -> SimulatedMessage {
        AppleWords.message(
            "RESCIND_CONSENT",
            on: 9,
            besides: [
                "appData": [
                    "appAppleId": 1_600_000_001, "bundleId": "com.readmigo.app", "environment": "Production",
                ]
            ],
            appTransaction: [
                "receiptType": "Production", "bundleId": .string(bundleID), "appAppleId": .integer(appAppleID),
                "appTransactionId": "a1", "receiptCreationDate": AppleWords.date(0),
            ]
        )
    }

    /// - Parameter identifier: the request's identifier; nil for the extension's own id, as for requests made here.
    /// - Returns: the identifier.
    @discardableResult private func request(
        _ identifier: String?,
        on day: Double,
        in office: TestOffice
    ) async throws -> String {
        var row = RenewalExtension(
            id: Identifier(UUID()),
            app: try await office.app(),
            store: .apple,
            environment: .production,
            target: .product(storeProductID: "com.readmigo.pro.monthly", storefronts: nil),
            request: RenewalExtension.Request(
                days: 30,
                reasonCode: .outage,
                act: RefundRequest.Act(
                    staff: nil,
                    actor: "ada",
                    at: AppleWords.moment(day),
                    reason: Personal("The reader was down for a day.")
                )
            )
        )
        if let identifier { row.requestIdentifier = identifier }
        let kept = row
        try await office.database.write { try await $0.renewalExtensions.insert(kept) }
        return kept.requestIdentifier
    }

    private func refuse(_ identifier: String, in office: TestOffice) async throws {
        try await office.database.write { transaction in
            let id = try #require(RenewalExtension.ID(identifier))
            let row = try #require(try await transaction.renewalExtensions.find(id))
            let refusal = RenewalExtension.State.refused(at: AppleWords.moment(9), code: nil, message: "It runs.")
            try await transaction.renewalExtensions.save(refusal, of: row)
        }
    }

    private let failures: Query = """
        SELECT e.request_identifier
        FROM renewal_extension_failures f JOIN renewal_extensions e ON e.id = f.extension_id
        """

    private let extensions: Query = """
        SELECT concat_ws(' ', e.request_identifier, e.succeeded_count, e.failed_count,
            (SELECT count(*) FROM renewal_extension_failures f WHERE f.extension_id = e.id))
        FROM renewal_extensions e
        ORDER BY e.request_identifier
        """

    @Test("where a token stands is what the store signed last, whatever arrives first")
    func tokens() async throws {
        let told = [
            token("CREATED", on: 1, ["tokenCreationDate": AppleWords.date(1)]), token("ACTIVE_TOKEN_REMINDER", on: 30),
            token("UNREPORTED", on: 60, ["tokenType": "SERVICES"]),
        ]
        for messages in [told, told.reversed(), [told[1], told[2], told[0]]] {
            try await TestOffice.run { office in
                try await deliver(messages, to: office)
                let rows = try await office.lines(
                    """
                    SELECT concat_ws(' ', state, token_type, created_at = \(AppleWords.moment(1)), told_at = \(AppleWords.moment(60)))
                    FROM external_purchase_tokens
                    """
                )
                #expect(rows == ["unreported SERVICES t t"])
            }
        }
    }

    @Test(
        "a summary closes the extension of its identifier, and a failure is of the one under way, whichever comes first"
    )
    func massExtension() async throws {
        let messages = [AppleWords.bought, failure, summary("r1", on: 10), summary("r0", on: 5), summary("r2", on: 50)]
        for messages in [messages, [messages[4], messages[2], messages[0], messages[3], messages[1]]] {
            try await TestOffice.run { office in
                let app = try await office.app()
                try await request("r1", on: 8, in: office)
                try await deliver(messages, to: office)
                #expect(try await office.lines(extensions) == ["r0 3 1 0", "r1 3 1 1", "r2 3 1 0"])
                let listed = try await office.database.read {
                    try await $0.screens.extensions(of: app, ExtensionFilter()).rows
                }
                #expect(listed.map(\.requestIdentifier) == ["r2", "r1", "r0"])
                #expect(listed.map { $0.request?.days } == [nil, 30, nil])
                let one = try #require(listed.first { $0.requestIdentifier == "r1" })
                let failures = try await office.database.read {
                    try await $0.screens.failures(ExtensionFailureFilter(of: one.id)).rows
                }
                #expect(failures.map(\.originalTransactionID) == ["t1"])
            }
        }
    }

    @Test("a summary finishes what staff requested under its identifier, once")
    func requested() async throws {
        try await TestOffice.run { office in
            let id = try await request(nil, on: 8, in: office)
            let requests: Query = """
                SELECT concat_ws(' ', state, succeeded_count, failed_count, finished_at IS NOT NULL, error)
                FROM renewal_extensions WHERE requested_at IS NOT NULL
                """
            try await deliver([summary("another", on: 9)], to: office)
            #expect(try await office.lines(requests) == ["sending f"])
            try await deliver([summary(id.uppercased(), on: 10)], to: office)
            #expect(try await office.lines(requests) == ["succeeded 3 1 t"])
            // The summary that the store signed last prevails.
            try await deliver([summary(id, on: 9, failed: 8)], to: office)
            #expect(try await office.lines(requests) == ["succeeded 3 1 t"])
            try await deliver([summary(id, on: 11, failed: 7)], to: office)
            #expect(try await office.lines(requests) == ["succeeded 3 7 t"])
        }
    }

    @Test("a summary knows more than a refusal, which can answer a request that was repeated")
    func refusedThenDone() async throws {
        try await TestOffice.run { office in
            let id = try await request(nil, on: 8, in: office)
            try await refuse(id, in: office)
            try await deliver([summary(id, on: 10)], to: office)
            let row = "SELECT concat_ws(' ', state, succeeded_count, failed_count, error) FROM renewal_extensions"
            #expect(try await office.lines(Query(unsafe: row)) == ["succeeded 3 1"])
        }
    }

    @Test("what the store refused extends nobody: the failures are of the one that is under way")
    func refused() async throws {
        try await TestOffice.run { office in
            let older = try await request(nil, on: 7, in: office)
            let newer = try await request(nil, on: 8, in: office)
            try await deliver([AppleWords.bought, failure], to: office)
            #expect(try await office.lines(failures) == [newer])
            try await refuse(newer, in: office)
            #expect(try await office.lines(failures) == [older])
        }
    }

    @Test("an older summary changes nothing")
    func once() async throws {
        try await TestOffice.run { office in
            try await deliver([summary("r1", on: 10), summary("r1", on: 9, failed: 7)], to: office)
            #expect(try await office.lines(extensions) == ["r1 3 1 0"])
        }
    }

    @Test("a withdrawn consent shows with the customer, and changes nothing of what they pay for")
    func consentOfCustomer() async throws {
        let installed = AppleWords.sold("t1", from: 0, to: 130, "pro.monthly", for: 18_000, ["appTransactionId": "a1"])
        let bought = AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 0, installed, AppleWords.renews())
        for messages in [[bought, consent()], [consent(), bought]] {
            try await TestOffice.run { office in
                try await deliver(messages, to: office)
                let app = try await office.app()
                let id = try #require(
                    try await office.pool.query("SELECT id FROM customers").first?.decode(0, as: Customer.ID.self)
                )
                let details = try #require(
                    try await office.database.read {
                        try await $0.screens.customer(id: id, app: app, seesPersonalData: true)
                    }
                )
                #expect(details.consentRescindedAt == AppleWords.moment(9))
                #expect(details.entitlementSources.entitlement(at: TestOffice.start)?.plan.code == "PRO")
                let timeline = try await office.database.read {
                    try await $0.screens.timeline(of: id, Timeline.Filter(part: .access), seesPersonalData: true).rows
                }
                let moments = timeline.filter { if case .consentRescinded = $0.what { true } else { false } }
                #expect(moments.map(\.at) == [AppleWords.moment(9)])
            }
        }
    }

    @Test("a consent whose app transaction is of another app is turned away")
    func otherApp() async throws {
        try await TestOffice.run { office in
            for message in [consent(bundleID: "com.other"), consent(appAppleID: 7)] {
                let error = await #expect(throws: OperationsError.self) { try await deliver([message], to: office) }
                #expect(error?.code == .wrongApp)
            }
            let kept = try await office.count("store_notifications")
            #expect(kept == 0)
        }
    }

    @Test("what a notice lacks, or nothing can keep, waits for people with the reason")
    func unreadable() async throws {
        let consent = AppleWords.message(
            "RESCIND_CONSENT",
            on: 9,
            besides: [
                "appData": [
                    "appAppleId": 1_600_000_001, "bundleId": "com.readmigo.app", "environment": "Production",
                ]
            ]
        )
        let messages = [
            consent, token("CREATED", on: 1, ["externalPurchaseId": .string(String(repeating: "x", count: 100_000))]),
            token("CREATED", on: 1, ["externalPurchaseId": ""]),
            token("CREATED", on: 1, ["tokenCreationDate": 253_402_300_800_000]), summary("", on: 3),
            summary("r1", on: 3, failed: -1), summary("r1", on: 3, failed: .min),
        ]
        try await TestOffice.run { office in
            try await deliver(messages, to: office)
            let rows = try await office.lines(
                "SELECT state || ' ' || (last_error <> '')::text FROM store_notifications"
            )
            #expect(rows == Array(repeating: "failed true", count: messages.count))
            for table in ["external_purchase_tokens", "rescinded_consents", "renewal_extensions"] {
                #expect(try await office.count(table) == 0)
            }
        }
    }
}

extension AppleWords {
    /// Returns a day as `date` writes it.
    static func moment(_ day: Double) -> Date { TestOffice.start.addingTimeInterval((day - 100) * 86_400) }
}
