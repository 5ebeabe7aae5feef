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
                let isNew = try await office.database.write { transaction in
                    try await transaction.renewalExtensions.open(
                        RenewalExtension(
                            id: Identifier(transaction.newUUID()),
                            app: app,
                            store: .apple,
                            environment: .production,
                            requestIdentifier: "r1",
                            productID: "com.readmigo.pro.monthly",
                            request: RenewalExtension.Request(
                                days: 30,
                                reasonCode: 3,
                                requestedAt: AppleWords.moment(8)
                            )
                        )
                    )
                }
                #expect(isNew)
                try await deliver(messages, to: office)
                #expect(try await office.lines(extensions) == ["r0 3 1 0", "r1 3 1 1", "r2 3 1 0"])
                let listed = try await office.database.read {
                    try await $0.screens.renewalExtensions(of: app, RenewalExtensionFilter()).rows
                }
                #expect(listed.map(\.requestIdentifier) == ["r2", "r1", "r0"])
                #expect(listed.map { $0.request?.days } == [nil, 30, nil])
                let one = try #require(listed.first { $0.requestIdentifier == "r1" })
                let failures = try await office.database.read { try await $0.screens.failures(of: one.id, limit: 9) }
                #expect(failures.map(\.originalTransactionID) == ["t1"])
            }
        }
    }

    @Test("a summary finishes what staff requested under its identifier, once")
    func requested() async throws {
        try await TestOffice.run { office in
            let id = "0193a5e8-0000-7000-8000-00000000000e"
            try await office.pool.withConnection {
                try await $0.execute(
                    script: """
                        INSERT INTO extension_requests (id, app_id, store, environment, product_id, days, reason_code, reason,
                            requested_as, requested_at, state)
                        SELECT '\(id)', app_id, 'apple', 'production', id, 3, 3, 'The reader was down for a day.', 'ada', now(),
                            'running'
                        FROM products WHERE store_product_id = 'com.readmigo.pro.monthly'
                        """
                )
            }
            let requests: Query = """
                SELECT concat_ws(' ', state, succeeded_count, failed_count, finished_at IS NOT NULL) FROM extension_requests
                """
            try await deliver([summary("another", on: 9)], to: office)
            #expect(try await office.lines(requests) == ["running f"])
            try await deliver([summary(id, on: 10)], to: office)
            #expect(try await office.lines(requests) == ["succeeded 3 1 t"])
            try await deliver([summary(id, on: 11, failed: 7)], to: office)
            #expect(try await office.lines(requests) == ["succeeded 3 1 t"])
        }
    }

    @Test("what the store refused is forgotten, and its failures are of the one that is under way")
    func refused() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let opened = ["r1", "r2"].map { identifier in
                RenewalExtension(
                    id: Identifier(UUID()),
                    app: app,
                    store: .apple,
                    environment: .production,
                    requestIdentifier: identifier,
                    productID: "com.readmigo.pro.monthly",
                    request: RenewalExtension.Request(
                        days: 30,
                        reasonCode: 3,
                        requestedAt: AppleWords.moment(identifier == "r1" ? 7 : 8)
                    )
                )
            }
            try await office.database.write { transaction in
                for one in opened { _ = try await transaction.renewalExtensions.open(one) }
            }
            try await deliver([AppleWords.bought, failure], to: office)
            #expect(try await office.lines(extensions) == ["r1 0", "r2 1"])
            try await office.database.write { try await $0.renewalExtensions.withdraw(opened[1]) }
            #expect(try await office.lines(extensions) == ["r1 1"])
        }
    }

    @Test("an identifier is opened once, and an older summary changes nothing")
    func once() async throws {
        try await TestOffice.run { office in
            try await deliver([summary("r1", on: 10), summary("r1", on: 9, failed: 7)], to: office)
            #expect(try await office.lines(extensions) == ["r1 3 1 0"])
            let app = try await office.app()
            let isNew = try await office.database.write { transaction in
                try await transaction.renewalExtensions.open(
                    RenewalExtension(
                        id: Identifier(transaction.newUUID()),
                        app: app,
                        store: .apple,
                        environment: .production,
                        requestIdentifier: "r1",
                        productID: "com.readmigo.pro.monthly",
                        request: RenewalExtension.Request(days: 1, reasonCode: 0, requestedAt: TestOffice.start)
                    )
                )
            }
            #expect(!isNew)
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
    /// A day as `date` writes it.
    static func moment(_ day: Double) -> Date { TestOffice.start.addingTimeInterval((day - 100) * 86_400) }
}
