import Billing
import Foundation
import StoreSimulator
import Synchronization
import TestSupport
import Testing

@testable import Gateways

@Suite("Asking Apple what a receipt is worth")
struct VerifyReceiptClientTests {
    private let store: ReceiptStore
    private let apple: SimulatedVerifyReceipt
    private let pauses = Pauses()

    init() throws {
        store = try ReceiptStore()
        apple = SimulatedVerifyReceipt(for: store.app, sharedSecret: "s3cret", now: { ReceiptStore.now })
    }

    @Test("a production receipt is asked about in production, and nowhere else")
    func production() async throws {
        let verified = try await verify()
        #expect(verified.environment == .production)
        #expect(verified.bundleID == "com.example")
        #expect(verified.appAppleID == 1_234)
        #expect(verified.createdAt == ReceiptStore.now)
        #expect(verified.requestedAt == ReceiptStore.now)
        #expect(verified.latestReceipt != nil)
        #expect(verified.purchases.map(\.transactionID) == ["300000000000001", "300000000000002", "300000000000007"])
        #expect(apple.asked == [.production: 1])
    }

    @Test("what Apple answers is what the receipt's own signature says, of each purchase")
    func sameAsSigned() async throws {
        let text = try store.sign(store.receipt())
        let signed = try store.verify(text).purchases
        var asked = try await verify(text).purchases
        for index in asked.indices { asked[index].productType = signed[index].productType }
        #expect(asked == signed)
    }

    @Test("a sandbox receipt is asked about in the sandbox when production says so, and is of the sandbox")
    func sandbox() async throws {
        let verified = try await verify(try store.sign(store.receipt(environment: "ProductionSandbox")))
        #expect(verified.environment == .sandbox)
        #expect(apple.asked == [.production: 1, .sandbox: 1])
        let strict = try AppleConfiguration.test(anchors: [store.authority.root], acceptsSandbox: false)
        let receipt = try store.sign(store.receipt(environment: "ProductionSandbox"))
        #expect(await code(receipt, for: strict) == .wrongEnvironment)
    }

    @Test("environments that name each other are not asked for ever")
    func pingPong() async throws {
        apple.say(.status(21_007), in: .production)
        apple.say(.status(21_008), in: .sandbox)
        #expect(await code() == .wrongEnvironment)
        #expect(apple.asked == [.production: 1, .sandbox: 1])
    }

    @Test(
        "Apple's troubles are asked about again after 1 and 2 s, and then left for later",
        arguments: [21_005, 21_009, 21_001]
    )
    func troubles(_ status: Int64) async throws {
        apple.say(.status(status), in: .production)
        #expect(await code() == nil)
        #expect(pauses.all == [.seconds(1)])
        for _ in 0..<3 { apple.say(.status(status), in: .production) }
        #expect(await code() == .unreachable)
        #expect(pauses.all == [.seconds(1), .seconds(1), .seconds(2)])
    }

    @Test("a receipt that cannot be read is asked about again, and then refused")
    func damaged() async throws {
        apple.say(.status(21_002), in: .production)
        #expect(await code() == nil)
        for _ in 0..<3 { apple.say(.status(21_002), in: .production) }
        #expect(await code() == .malformed)
    }

    @Test(
        "of Apple's internal errors it is said whether to ask again, in either spelling, as flag, number or text",
        arguments: ["is_retryable", "is-retryable"],
        [(true, true), (1, true), ("1", true), ("true", true), (false, false), (0, false), ("0", false)]
            as [(JSON, Bool)]
    )
    func internalErrors(_ member: String, _ retryable: (value: JSON, isRetried: Bool)) async throws {
        apple.say(.status(21_150, retryable: retryable.value, member: member), in: .production)
        #expect(await code() == (retryable.isRetried ? nil : .malformed))
    }

    @Test(
        "the rest is refused at once, with the reason",
        arguments: [
            (21_000, .misconfigured, nil), (21_003, .invalidSignature, "receipt"),
            (21_004, .misconfigured, "sharedSecret"),
            (21_010, .missing, "receipt"),
        ] as [(Int64, GatewayError.Code, String?)]
    )
    func refusals(_ status: Int64, _ expected: GatewayError.Code, _ field: String?) async throws {
        apple.say(.status(status), in: .production)
        let refusal = await refusal()
        #expect(refusal?.code == expected)
        #expect(refusal?.field == field)
        #expect(refusal?.message.contains(String(status)) == true)
        #expect(apple.asked == [.production: 1])
        #expect(pauses.all.isEmpty)
    }

    @Test(
        "a wrong secret is our setting; another app's receipt, which Apple answers alike, is found before it is asked"
    )
    func secrets() async throws {
        #expect(await refusal(secret: "guess")?.field == "sharedSecret")
        var other = store.receipt()
        other.bundleID = "com.example.x"
        #expect(await code(try store.sign(other)) == .wrongApp)
        #expect(apple.asked == [.production: 1])
        let elsewhere: JSON = ["status": 0, "receipt": ["bundle_id": "com.example.x"]]
        apple.say(.body(elsewhere), in: .production)
        #expect(await code() == .wrongApp)
    }

    @Test("Apple is not asked about a receipt that Xcode made")
    func xcode() async throws {
        #expect(await code(try store.sign(store.receipt(environment: "Xcode"))) == .wrongEnvironment)
        #expect(apple.asked.isEmpty)
    }

    @Test("what is no receipt is not sent to Apple", arguments: ["", "abc", "e30=", "MIIB"])
    func notSent(_ text: String) async {
        #expect(await code(text) == .malformed)
        #expect(apple.asked.isEmpty)
    }

    @Test("an answer that is not Apple's, or none, is asked for again and then left for later")
    func noAnswers() async throws {
        apple.say(.http(503), in: .production)
        apple.say(.body(["state": 0]), in: .production)
        #expect(await code() == nil)
        for _ in 0..<3 { apple.say(.http(429), in: .production) }
        #expect(await code() == .unreachable)
        let receipt = try store.sign(store.receipt())
        let nobody = VerifyReceiptClient(
            transport: EndpointTransport(endpoints: []),
            addresses: try Self.local(),
            pause: pauses.pause
        )
        do throws(StoreFailure) {
            _ = try await nobody.verify(receipt, sharedSecret: nil, for: store.app)
            Issue.record("nobody was there")
        } catch {
            #expect(error.isAway)
        }
    }

    @Test("whatever comes in the place of an answer, no receipt is refused by it, and the next good answer is taken")
    func spoiled() async throws {
        let spoiling = SpoilingTransport(EndpointTransport(endpoints: apple.endpoints))
        let client = VerifyReceiptClient(
            transport: spoiling,
            addresses: try Self.local(),
            attempts: 1,
            pause: pauses.pause
        )
        let receipt = try store.sign(store.receipt())
        let first = try await client.verify(receipt, sharedSecret: Secret("s3cret"), for: store.app)
        let good = try #require(spoiling.answer(to: "/verifyReceipt"))
        for (name, answer) in good.spoiled(everyByte: TestScale.isWhole) {
            spoiling.spoil("/verifyReceipt", with: answer)
            do throws(StoreFailure) {
                _ = try await client.verify(receipt, sharedSecret: Secret("s3cret"), for: store.app)
                Issue.record("\(name) passed for an answer")
            } catch {
                #expect(error.refusal == nil, "\(name) ends it: \(error)")
            }
        }
        spoiling.spoil("/verifyReceipt", with: nil)
        #expect(try await client.verify(receipt, sharedSecret: Secret("s3cret"), for: store.app) == first)
    }

    @Test("a status that Apple does not document is not its no: it is asked for again and then left for later")
    func undocumented() async throws {
        for _ in 0..<3 { apple.say(.status(21_042), in: .production) }
        let failure = await failure()
        #expect(failure?.refusal == nil)
        #expect(failure?.message.contains("21042") == true)
        #expect(apple.asked == [.production: 3])
    }

    @Test("who gives up waiting gets an error, and no further question is asked")
    func cancelled() async throws {
        struct Stop: Error {}
        apple.say(.status(21_005), in: .production)
        let client = VerifyReceiptClient(
            transport: EndpointTransport(endpoints: apple.endpoints),
            addresses: try Self.local(),
            pause: { _ in throw Stop() }
        )
        await #expect(throws: StoreFailure.self) {
            try await client.verify(store.sign(store.receipt()), sharedSecret: Secret("s3cret"), for: store.app)
        }
        #expect(apple.asked == [.production: 1])
    }

    @Test("of several lists the newest knows best, and the standing period is the one that ends last")
    func lists() async throws {
        let first = ReceiptStore.purchases[1]
        let second = ReceiptStore.purchases[0]
        var refunded = second
        refunded.cancelledAt = ReceiptStore.now
        refunded.cancellationReason = 1
        let renewal = SimulatedPendingRenewal(
            originalTransactionID: "300000000000001",
            productID: "com.example.pro.monthly",
            nextProductID: "com.example.pro.yearly",
            renewsAutomatically: false,
            expirationIntent: 2,
            isInBillingRetry: true,
            gracePeriodExpiresDate: ReceiptStore.now.addingTimeInterval(60)
        )
        apple.know([refunded], [renewal])
        let verified = try await verify()
        #expect(
            verified.purchases.filter { $0.transactionID == second.transactionID }.map(\.cancelledAt) == [
                ReceiptStore.now
            ]
        )
        #expect(verified.current(originalTransactionID: "300000000000001")?.transactionID == first.transactionID)
        #expect(verified.current(originalTransactionID: "5") == nil)
        let terms = try #require(verified.renewals.first).terms
        #expect(terms.renewsAutomatically == false)
        #expect(terms.nextProductID == "com.example.pro.yearly")
        #expect(terms.isInBillingRetry)
        #expect(terms.expirationReason == .billingError)
        #expect(terms.gracePeriodEndsAt == ReceiptStore.now.addingTimeInterval(60))
        #expect(try await verify(excludesOld: true).purchases.count == 3, "the receipt's own list is whole")
    }

    @Test("apps for iOS 6 get one object in the place of a list, and 21006 with what has expired")
    func iOS6() async throws {
        apple.speakAsForIOS6()
        let alive = try await verify(try store.sign(store.receipt(purchases: [ReceiptStore.purchases[0]])))
        #expect(alive.purchases.map(\.transactionID) == ["300000000000002"])
        apple.know(
            [],
            [
                .init(
                    originalTransactionID: "300000000000001",
                    productID: "",
                    nextProductID: "next",
                    renewsAutomatically: true
                )
            ]
        )
        let over = try await verify(try store.sign(store.receipt(purchases: [ReceiptStore.purchases[1]])))
        #expect(over.purchases.map(\.transactionID) == ["300000000000001"])
        #expect(over.bundleID == "com.example")
        #expect(over.renewals.first?.originalTransactionID == "300000000000001")
        #expect(over.renewals.first?.terms.renewsAutomatically == true)
    }

    @Test("an app of the store is asked about over https alone, and at an address that is one")
    func addresses() throws {
        typealias Addresses = VerifyReceiptClient.Addresses
        for isSimulated in [false, true] {
            for bad in [
                "", "buy.itunes.apple.com", "ftp://a", "https://", "https://u:p@a", "https://a/?b", "https://a#b",
            ] {
                let failure = #expect(throws: GatewayError.self) {
                    try Addresses(production: "https://a", sandbox: bad, isSimulated: isSimulated)
                }
                #expect(failure?.code == .misconfigured)
                #expect(failure?.field == "verifyReceipt")
            }
        }
        _ = try Addresses(production: "https://a", sandbox: "https://a/sandbox/", isSimulated: false)
        #expect(throws: GatewayError.self) {
            try Addresses(production: "http://a", sandbox: "https://a", isSimulated: false)
        }
    }

    private static func local() throws(GatewayError) -> VerifyReceiptClient.Addresses {
        try VerifyReceiptClient.Addresses(
            production: EndpointTransport.address,
            sandbox: EndpointTransport.address + "/sandbox/",
            isSimulated: true
        )
    }

    private func verify(
        _ receipt: String? = nil,
        secret: String = "s3cret",
        excludesOld: Bool = false,
        for app: AppleConfiguration? = nil
    ) async throws -> VerifiedReceipt {
        let client = VerifyReceiptClient(
            transport: EndpointTransport(endpoints: apple.endpoints),
            addresses: try Self.local(),
            pause: pauses.pause
        )
        return try await client.verify(
            receipt ?? store.sign(store.receipt()),
            sharedSecret: Secret(secret),
            excludesOldTransactions: excludesOld,
            for: app ?? store.app
        )
    }

    private func refusal(
        _ receipt: String? = nil,
        secret: String = "s3cret",
        for app: AppleConfiguration? = nil
    ) async -> GatewayError? {
        await failure(receipt, secret: secret, for: app)?.reason
    }

    private func failure(
        _ receipt: String? = nil,
        secret: String = "s3cret",
        for app: AppleConfiguration? = nil
    ) async -> StoreFailure? {
        do {
            _ = try await verify(receipt, secret: secret, for: app)
            return nil
        } catch {
            return error as? StoreFailure
        }
    }

    private func code(_ receipt: String? = nil, for app: AppleConfiguration? = nil) async -> GatewayError.Code? {
        await refusal(receipt, for: app)?.code
    }
}

/// Skips pauses and keeps their lengths.
final class Pauses: Sendable {
    private let durations = Mutex<[Duration]>([])

    var all: [Duration] { durations.withLock { $0 } }

    var pause: @Sendable (Duration) async throws -> Void {
        { [self] duration in durations.withLock { $0.append(duration) } }
    }
}
