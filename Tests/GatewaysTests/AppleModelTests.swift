import Billing
import Foundation
import Testing

@testable import Gateways

/// Repeats Apple's own suite about models and Xcode (stores/apple.md, 6.2, 6.3 and 6.5) with our data; each test names Apple's.
@Suite("What Apple signs is read whole")
struct AppleModelTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    @Test("a transaction says all of its fields (test_transaction_decoding)")
    func transaction() async throws {
        let read = try await transaction(Self.whole)
        #expect(read.transactionID == "23456")
        #expect(read.originalTransactionID == "12345")
        #expect(read.webOrderLineItemID == "34343")
        #expect(read.appTransactionID == "71134")
        #expect(read.bundleID == "com.example")
        #expect(read.productID == "com.example.product")
        #expect(read.subscriptionGroupIdentifier == "55555")
        #expect(read.originalPurchaseDate == Date(timeIntervalSince1970: 1_698_148_800))
        #expect(read.purchaseDate == Date(timeIntervalSince1970: 1_698_148_900))
        #expect(read.expiresDate == Date(timeIntervalSince1970: 1_698_149_000))
        #expect(read.signedDate == Date(timeIntervalSince1970: 1_748_148_900))
        #expect(read.quantity == 1)
        #expect(read.type == .autoRenewable)
        #expect(read.appAccountToken == UUID(uuidString: "7e3fb204-2eb0-4a5e-9a57-5d3c3f0e4f10"))
        #expect(read.ownership == .purchased)
        #expect(read.isUpgraded == true)
        #expect(read.offerType == .introductory)
        #expect(read.offerIdentifier == "abc.123")
        #expect(read.offerDiscountType == "PAY_AS_YOU_GO")
        #expect(read.offerPeriod == "P1Y")
        #expect(read.rawEnvironment == "Production")
        #expect(read.storefront == "USA")
        #expect(read.storefrontID == "143441")
        #expect(read.transactionReason == .purchase)
        #expect(read.price == 10_990)
        #expect(read.currency == "USD")
        #expect(read.billingPlanType == "MONTHLY")
        #expect(read.commitment?.billingPeriodNumber == 3)
        #expect(read.commitment?.totalBillingPeriods == 12)
        #expect(read.commitment?.price == 119_880)
        #expect(read.commitment?.expiresDate == Date(timeIntervalSince1970: 1_729_684_800))
        #expect(read.advancedCommerceInfo == ["taxCode": "C003-00-2"])
        #expect(read.revocationDate == nil)
        #expect(read.revocationPercentage == nil)
    }

    @Test("what was taken back says when, why, how, and how much of it (test_transaction_with_revocation_decoding)")
    func revocation() async throws {
        var payload = Self.whole
        payload["revocationDate"] = 1_698_148_950_000
        payload["revocationReason"] = 1
        payload["revocationType"] = "REFUND_PRORATED"
        payload["revocationPercentage"] = 50_000
        let read = try await transaction(payload)
        #expect(read.revocationDate == Date(timeIntervalSince1970: 1_698_148_950))
        #expect(read.revocationReason == 1)
        #expect(read.revocationType == "REFUND_PRORATED")
        #expect(read.revocationPercentage == 50_000)
    }

    @Test("a renewal info says all of its fields (test_renewal_info_decoding)")
    func renewalInfo() async throws {
        let payload: JSON = [
            "expirationIntent": 1, "originalTransactionId": "12345", "autoRenewProductId": "com.example.product.2",
            "productId": "com.example.product", "autoRenewStatus": 1, "isInBillingRetryPeriod": true,
            "priceIncreaseStatus": 0, "gracePeriodExpiresDate": 1_698_148_900_000, "offerType": 2,
            "offerIdentifier": "abc.123", "offerDiscountType": "PAY_UP_FRONT", "offerPeriod": "P1Y",
            "signedDate": 1_748_148_800_000, "environment": "Production",
            "recentSubscriptionStartDate": 1_698_148_800_000, "renewalDate": 1_698_148_850_000,
            "renewalPrice": 9_990, "currency": "USD", "eligibleWinBackOfferIds": ["eligible1", "eligible2"],
            "appAccountToken": "7e3fb204-2eb0-4a5e-9a57-5d3c3f0e4f10", "appTransactionId": "71134",
            "renewalBillingPlanType": "MONTHLY",
        ]
        let read = try await store.verifier.renewalInfo(
            store.chain.sign(payload),
            for: store.app,
            at: TestNotification.now
        )
        #expect(read.expirationIntent == .cancelled)
        #expect(read.originalTransactionID == "12345")
        #expect(read.autoRenewProductID == "com.example.product.2")
        #expect(read.productID == "com.example.product")
        #expect(read.renewsAutomatically == true)
        #expect(read.isInBillingRetryPeriod == true)
        #expect(read.priceIncreaseStatus == 0)
        #expect(read.gracePeriodExpiresDate == Date(timeIntervalSince1970: 1_698_148_900))
        #expect(read.offerType == .promotional)
        #expect(read.offerIdentifier == "abc.123")
        #expect(read.offerDiscountType == "PAY_UP_FRONT")
        #expect(read.offerPeriod == "P1Y")
        #expect(read.rawEnvironment == "Production")
        #expect(read.recentSubscriptionStartDate == Date(timeIntervalSince1970: 1_698_148_800))
        #expect(read.renewalDate == Date(timeIntervalSince1970: 1_698_148_850))
        #expect(read.renewalPrice == 9_990)
        #expect(read.currency == "USD")
        #expect(read.eligibleWinBackOfferIDs == ["eligible1", "eligible2"])
        #expect(read.appAccountToken == UUID(uuidString: "7e3fb204-2eb0-4a5e-9a57-5d3c3f0e4f10"))
        #expect(read.appTransactionID == "71134")
        #expect(read.renewalBillingPlanType == "MONTHLY")
    }

    @Test("an app transaction is of the app, and dated by its creation (test_app_transaction_decoding)")
    func appTransaction() async throws {
        let read = try await store.verifier.appTransaction(
            store.chain.sign(Self.appTransaction),
            for: store.app,
            at: TestNotification.now
        )
        #expect(read == Self.appTransaction)
        var other = Self.appTransaction
        other["appAppleId"] = 1_235
        #expect(await appTransactionCode(other) == .wrongApp)
        other["appAppleId"] = nil
        #expect(await appTransactionCode(other) == .wrongApp)
        other = Self.appTransaction
        other["bundleId"] = "com.example.x"
        #expect(await appTransactionCode(other) == .wrongApp)
        other = Self.appTransaction
        other["receiptCreationDate"] = .integer(Int64(TestChain.start.timeIntervalSince1970 - 1) * 1_000)
        #expect(await appTransactionCode(other) == .invalidChain)
    }

    @Test("a notification says its id, version, date and data (test_notification_decoding)")
    func notification() async throws {
        let read = try await store.verify(TestNotification().signed(by: store.chain))
        #expect(read.notificationType == .subscribed)
        #expect(read.subtype == .initialBuy)
        #expect(read.notificationUUID == "002E14D5-51F5-4503-B5A8-C3A1AF68EB20")
        #expect(read.version == "2.0")
        #expect(read.signedDate == TestNotification.now)
        #expect(read.environment == .production)
        #expect(read.appAppleID == 1_234)
        #expect(read.bundleID == "com.example")
        #expect(read.bundleVersion == "1")
        #expect(read.status == .active)
        #expect(read.summary == nil)
        #expect(read.externalPurchaseToken == nil)
    }

    @Test("a request for consumption says its reason (test_consumption_request_notification_decoding)")
    func consumptionRequest() async throws {
        var request = TestNotification().of("CONSUMPTION_REQUEST", nil)
        request.data["consumptionRequestReason"] = "UNINTENDED_PURCHASE"
        let read = try await store.verify(request.signed(by: store.chain))
        #expect(read.notificationType == .consumptionRequest)
        #expect(read.subtype == nil)
        #expect(read.consumptionRequestReason == "UNINTENDED_PURCHASE")
    }

    @Test("an extension of many says how many it reached (test_summary_notification_decoding)")
    func summary() async throws {
        var summary = TestNotification().of("RENEWAL_EXTENSION", "SUMMARY")
        summary.transaction = nil
        summary.renewal = nil
        summary.bodyName = "summary"
        for (name, value) in [
            ("requestIdentifier", "efb27071-45a4-4aca-9854-2a1e9146f265"), ("productId", "com.example.product"),
            ("storefrontCountryCodes", ["CAN", "USA", "MEX"]), ("succeededCount", 5), ("failedCount", 2),
        ] as [(String, JSON)] {
            summary.data[name] = value
        }
        let read = try #require(try await store.verify(summary.signed(by: store.chain)).summary)
        #expect(read.requestIdentifier == "efb27071-45a4-4aca-9854-2a1e9146f265")
        #expect(read.productID == "com.example.product")
        #expect(read.storefrontCountryCodes == ["CAN", "USA", "MEX"])
        #expect(read.succeededCount == 5)
        #expect(read.failedCount == 2)
    }

    @Test(
        "a token of a purchase outside says its environment by its id (test_external_purchase_token_…_decoding)",
        arguments: [
            ("b2158121-7af9-49d4-9561-1f588205523e", .production),
            ("SANDBOX_b2158121-7af9-49d4-9561-1f588205523e", .sandbox),
        ] as [(String, StoreEnvironment)]
    )
    func externalPurchaseToken(_ id: String, _ environment: StoreEnvironment) async throws {
        var token = TestNotification().of("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED")
        token.transaction = nil
        token.renewal = nil
        token.bodyName = "externalPurchaseToken"
        token.data = [
            "externalPurchaseId": .string(id), "tokenCreationDate": 1_698_148_950_000, "appAppleId": 1_234,
            "bundleId": "com.example",
        ]
        let read = try await store.verify(token.signed(by: store.chain))
        #expect(read.environment == environment)
        #expect(read.externalPurchaseToken?.externalPurchaseID == id)
        #expect(read.externalPurchaseToken?.createdAt == Date(timeIntervalSince1970: 1_698_148_950))
    }

    @Test("a withdrawn consent says which installation it is about (test_rescind_consent_notification_decoding)")
    func rescindedConsent() async throws {
        var consent = TestNotification().of("RESCIND_CONSENT", nil)
        consent.transaction = nil
        consent.renewal = nil
        consent.bodyName = "appData"
        consent.data["signedAppTransactionInfo"] = .string(try store.chain.sign(Self.appTransaction))
        let read = try await store.verify(consent.signed(by: store.chain))
        #expect(read.notificationType == .rescindConsent)
        #expect(read.appTransaction == Self.appTransaction)
        #expect(read.transaction == nil)
    }

    @Test("a transaction alone must be of the app and of the environment (testWrongBundleIdForTransaction)")
    func wrongTransactions() async throws {
        var other = Self.whole
        other["bundleId"] = "com.example.x"
        #expect(await transactionCode(other) == .wrongApp)
        #expect(await transactionCode(Self.whole, in: .sandbox) == .wrongEnvironment)
        #expect(await transactionCode(Self.whole, in: .production) == nil)
    }

    @Test(
        "what Xcode signs on a developer's machine is refused, with one certificate or with three",
        arguments: ["Xcode", "LocalTesting"]
    )
    func xcode(_ environment: String) async throws {
        // Xcode's form: ids of 0, dates with fractions, one certificate.
        let payload: JSON = [
            "transactionId": "0", "originalTransactionId": "0", "bundleId": "com.example", "productId": "pass.premium",
            "purchaseDate": .number(1_749_679_936_049.7297), "expiresDate": .number(1_752_358_336_049.7297),
            "signedDate": .number(1_749_679_936_056.087), "offerType": 1, "isUpgraded": false,
            "environment": .string(environment),
        ]
        #expect(await transactionCode(payload) == .wrongEnvironment)
        guard case .array(let chain) = store.chain.honestX5C else { return }
        #expect(await transactionCode(payload, x5c: .array([chain[0]])) == .invalidChain)
        var claimed = payload
        claimed["environment"] = "Production"
        #expect(await transactionCode(claimed, x5c: .array([chain[0]])) == .invalidChain)
        var installation = Self.appTransaction
        installation["receiptType"] = .string(environment)
        installation["appAppleId"] = nil
        #expect(await appTransactionCode(installation) == .wrongEnvironment)
    }

    private static let whole: JSON = [
        "transactionId": "23456", "originalTransactionId": "12345", "webOrderLineItemId": "34343",
        "appTransactionId": "71134", "bundleId": "com.example", "productId": "com.example.product",
        "subscriptionGroupIdentifier": "55555", "originalPurchaseDate": 1_698_148_800_000,
        "purchaseDate": 1_698_148_900_000, "expiresDate": 1_698_149_000_000, "signedDate": 1_748_148_900_000,
        "quantity": 1, "type": "Auto-Renewable Subscription",
        "appAccountToken": "7e3fb204-2eb0-4a5e-9a57-5d3c3f0e4f10", "inAppOwnershipType": "PURCHASED",
        "isUpgraded": true, "offerType": 1, "offerIdentifier": "abc.123", "offerDiscountType": "PAY_AS_YOU_GO",
        "offerPeriod": "P1Y", "environment": "Production", "storefront": "USA", "storefrontId": "143441",
        "transactionReason": "PURCHASE", "price": 10_990, "currency": "USD", "billingPlanType": "MONTHLY",
        "commitmentInfo": [
            "billingPeriodNumber": 3, "totalBillingPeriods": 12, "commitmentPrice": 119_880,
            "commitmentExpiresDate": 1_729_684_800_000,
        ],
        "advancedCommerceInfo": ["taxCode": "C003-00-2"],
    ]

    private static let appTransaction: JSON = [
        "receiptType": "Production", "appAppleId": 1_234, "bundleId": "com.example", "applicationVersion": "1.2.3",
        "versionExternalIdentifier": 512, "receiptCreationDate": 1_748_148_900_000,
        "originalPurchaseDate": 1_698_148_800_000, "originalApplicationVersion": "1.1.2",
        "deviceVerification": "device_verification_value",
        "deviceVerificationNonce": "48ccfa42-7431-4f22-9908-7e88983e105a", "preorderDate": 1_698_148_700_000,
        "appTransactionId": "71134", "originalPlatform": "iOS",
    ]

    private func transaction(_ payload: JSON) async throws -> AppleTransaction {
        try await store.verifier.transaction(store.chain.sign(payload), for: store.app, at: TestNotification.now)
    }

    /// Returns the code of the step at which a transaction fails; nil when it is verified.
    private func transactionCode(
        _ payload: JSON,
        x5c: JSON? = nil,
        in environment: StoreEnvironment? = nil
    ) async -> GatewayError.Code? {
        await code {
            let signed = try store.chain.sign(payload, x5c: x5c)
            _ = try await store.verifier.transaction(
                signed,
                for: store.app,
                in: environment,
                at: TestNotification.now
            )
        }
    }

    private func appTransactionCode(_ payload: JSON) async -> GatewayError.Code? {
        await code {
            let signed = try store.chain.sign(payload)
            _ = try await store.verifier.appTransaction(signed, for: store.app, at: TestNotification.now)
        }
    }

    private func code(_ work: () async throws -> Void) async -> GatewayError.Code? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? GatewayError)?.code
        }
    }
}
