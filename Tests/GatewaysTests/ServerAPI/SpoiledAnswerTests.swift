import Billing
import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import Gateways

@Suite("What is not the store's answer is not its no")
struct SpoiledAnswerTests {
    @Test(
        "whatever comes in the place of an answer, nothing ends by it, and the next good answer is taken",
        arguments: Call.all
    )
    func spoiled(call: Call) async throws {
        let store = try await TestAppStore(customers: 12, months: 8)
        store.server.setWebhook("http://127.0.0.1:9/nobody")
        let spoiling = SpoilingTransport(HTTPStoreTransport())
        let desk = try await Desk(store, spoiling)
        try await call.ask(desk)
        let good = try #require(spoiling.answer(to: call.part), "the call asks at another address")
        for (name, answer) in good.spoiled(everyByte: TestScale.isWhole) {
            spoiling.spoil(call.part, with: answer)
            do {
                try await call.ask(desk)
                // A success without a body looks like an empty answer with its status.
                #expect(good.body.isEmpty && answer.body.isEmpty, "\(name) passed for an answer")
            } catch let failure as StoreFailure {
                #expect(failure.refusal == nil, "\(name) ends it: \(failure)")
                #expect(!failure.message.isEmpty)
            }
        }
        spoiling.spoil(call.part, with: nil)
        try await call.ask(desk)
        await store.server.stop()
    }

    @Test(
        "Apple's own errors do end a call: those that it documents for it, and no other",
        arguments: AppleEndpoint.allCases
    )
    func saidNo(endpoint: AppleEndpoint) {
        for code in AppleErrorCode.allCases {
            let error = AppleServerError(
                endpoint,
                in: .production,
                httpStatus: Int(clamping: code.rawValue / 10_000),
                rawCode: code.rawValue,
                message: "Testing error."
            )
            let refusal = StoreFailure(error).refusal
            #expect((refusal != nil) == endpoint.refusals.contains(code))
            if let refusal {
                #expect(refusal.code == code.rawValue)
                #expect(refusal.reason.message.contains("Testing error"))
                #expect(!code.isRetryable && code != .rateLimitExceeded && code != .generalInternal)
            }
            var elsewhere = error
            elsewhere.httpStatus = 418
            #expect(StoreFailure(elsewhere).refusal == nil)
        }
        #expect(!endpoint.refusals.isEmpty)
    }

    @Test("a transaction that Apple does not know is said no to; so are an extension too many and a token that is none")
    func refusals() async throws {
        let store = try await TestAppStore(customers: 12, months: 8)
        let desk = try await Desk(store, HTTPStoreTransport())
        let unknown = await desk.failure { _ = try await desk.purchases.confirm(.transactionID("1"), at: store.now()) }
        #expect(unknown?.refusal?.code == 4_040_010)
        let length = StoreExtension(id: UUID(), days: 91, reason: .outage)
        let tooLong = await desk.failure {
            _ = try await desk.server.extend(desk.original, by: length, in: .production)
        }
        #expect(tooLong?.refusal?.code == 4_000_009)
        let unsold = await desk.failure {
            let length = StoreExtension(id: UUID(), days: 3, reason: .outage)
            try await desk.server.extendAll(subscribersTo: "x", by: length, storefronts: nil, in: .production)
        }
        #expect(unsold?.refusal?.code == 4_000_023)
        let nobody = StoreAnswer(preference: .decline, percentage: nil, providesSamples: true)
        let stranger = await desk.failure { try await desk.server.answer(nobody, about: "1", in: .production) }
        #expect(stranger?.refusal?.code == 4_040_010)
        await store.server.stop()
    }

    @Test("a key that Apple does not take is our setting, not its no")
    func key() async throws {
        let store = try await TestAppStore(customers: 0)
        let stranger = AppleServerAPI(
            try SimulatedAPIKey().credentials(bundleID: store.app.bundleID),
            hosts: try store.server.hosts,
            policy: AppleRetryPolicy(pauses: [], longestWait: .seconds(1))
        )
        let error = try await failure { _ = try await stranger.transaction("1", in: .production) }
        guard case .misconfigured = StoreFailure(error) else {
            Issue.record("it is \(StoreFailure(error))")
            return
        }
        await store.server.stop()
    }

    @Test("an odd entry of a page is named, and the others are taken")
    func oddEntries() async throws {
        let store = try await TestAppStore(customers: 12, months: 8)
        let spoiling = SpoilingTransport(HTTPStoreTransport())
        let desk = try await Desk(store, spoiling)
        try await Call.notifications.ask(desk)
        let good = try #require(spoiling.answer(to: Call.notifications.part))
        var json = try JSON(parsing: Array(good.body))
        guard case .array(let entries)? = json["notificationHistory"] else { throw Unfailed() }
        for odd: JSON in [.null, 7, "", [], ["signedPayload": 7], ["sendAttempts": []]] {
            json["notificationHistory"] = .array([odd] + entries)
            json["hasMore"] = false
            spoiling.spoil(Call.notifications.part, with: StoreResponse(status: 200, body: Data(json.bytes)))
            let pages = Pages()
            try await desk.statuses.readSentMessages(
                from: store.now().addingTimeInterval(-86_400 * 100),
                to: store.now(),
                in: .production
            ) { await pages.add($0) }
            #expect(await pages.all.map(\.messages.count) == [entries.count])
            #expect(await pages.all.map(\.unreadable.count) == [1])
        }
        await store.server.stop()
    }

    @Test("what a portal or a proxy wrote is told in its words, without tags; half an answer is not")
    func words() async throws {
        func message(_ status: Int, _ body: String) async throws -> String {
            let transport = StubTransport([.response(StoreResponse(status: status, body: Data(body.utf8)))])
            let api = try AppleServerAPI(transport, policy: .once)
            return StoreFailure(try await failure { _ = try await api.transaction("1", in: .production) }).message
        }
        #expect(
            try await message(404, "<h1>Not <b>here</b></h1>\u{0}\n")
                == "The App Store Server API answered 404: Not here."
        )
        #expect(!(try await message(200, #"{"signedTransactionInfo":"eyJ"#).contains("eyJ")))
        #expect(
            try await message(404, #"{"errorCode":4049999,"errorMessage":"New."}"#)
                == "The App Store Server API answered with error 4049999: New."
        )
    }
}

actor Pages {
    private(set) var all: [SentPage] = []

    func add(_ page: SentPage) { all.append(page) }
}

/// The clients of the simulated store, through one transport.
struct Desk: Sendable {
    let store: TestAppStore
    let purchases: ApplePurchases
    let statuses: AppleReconciliation
    let server: AppleStoreServer
    let support: AppleSupport
    /// A subscription that can be extended, and its newest transaction.
    let original: String
    let transaction: String
    let productID: String

    init(_ store: TestAppStore, _ transport: any StoreTransport) async throws {
        self.store = store
        let api = AppleServerAPI(
            try store.server.key.credentials(bundleID: store.app.bundleID),
            hosts: try store.server.hosts,
            transport: transport,
            // The clock stands still: no call of any number of them waits for more than the pace ever asks for.
            policy: AppleRetryPolicy(pauses: [], longestWait: .seconds(3_600)),
            clock: AppleServerClock(now: { store.server.clock.now }, sleep: { _ in }, jitter: { 0 })
        )
        purchases = ApplePurchases(
            of: store.app,
            verifier: store.verifier,
            api: api,
            receipts: nil,
            sharedSecret: nil
        )
        statuses = AppleReconciliation(api, verifier: store.verifier, app: store.app)
        server = AppleStoreServer(api)
        support = AppleSupport(api, verifier: store.verifier, app: store.app)
        let newest = try #require(store.active().first)
        (original, transaction, productID) = (newest.originalID, newest.id, newest.product.id)
    }

    func failure(_ work: () async throws -> Void) async -> StoreFailure? {
        do {
            try await work()
            return nil
        } catch {
            return error as? StoreFailure
        }
    }
}

/// A call to the store whose answer has an effect.
struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The part of the address whose answer is spoiled.
    let part: String
    let ask: @Sendable (Desk) async throws -> Void

    private init(_ name: String, _ part: String, _ ask: @escaping @Sendable (Desk) async throws -> Void) {
        (testDescription, self.part, self.ask) = (name, part, ask)
    }

    private static let length = StoreExtension(id: UUID(), days: 3, reason: .outage)

    static let notifications = Call("the notifications that were sent", "notifications/history") { desk in
        try await desk.statuses.readSentMessages(
            from: desk.store.now().addingTimeInterval(-86_400 * 100),
            to: desk.store.now(),
            in: .production
        ) { _ in }
    }

    static let all: [Call] = [
        notifications,
        Call("a bare transaction id", "v1/transactions/") { desk in
            let answer = try await desk.purchases.confirm(.transactionID(desk.transaction), at: desk.store.now())
            #expect(!answer.events.isEmpty)
            if let failure = answer.unanswered { throw failure }
        },
        Call("a purchase's subscription", "v1/subscriptions/") { desk in
            let answer = try await desk.purchases.confirm(.transactionID(desk.transaction), at: desk.store.now())
            if let failure = answer.unanswered { throw failure }
        },
        Call("how a subscription stands", "v1/subscriptions/") { desk in
            let standing = try await desk.statuses.events(
                of: desk.original,
                besides: [desk.transaction],
                in: .production,
                at: desk.store.now()
            )
            #expect(standing?.events.isEmpty == false, "it passes for unknown")
        },
        Call("a subscription's earlier periods", "v2/history/") { desk in
            let standing = try await desk.statuses.events(
                of: desk.original,
                besides: [],
                in: .production,
                at: desk.store.now()
            )
            #expect((standing?.events.count ?? 0) > 1)
        },
        Call("an answer about a refund", "transactions/consumption/") { desk in
            let answer = StoreAnswer(preference: .decline, percentage: nil, providesSamples: true)
            try await desk.server.answer(answer, about: desk.transaction, in: .production)
        },
        Call("an extension", "subscriptions/extend/") { desk in
            let date = try await desk.server.extend(desk.original, by: length, in: .production)
            #expect(date != nil)
        },
        Call("an extension of many", "extend/mass") { desk in
            try await desk.server.extendAll(
                subscribersTo: desk.productID,
                by: length,
                storefronts: nil,
                in: .production
            )
        },
        Call("how far that is", "extend/mass/") { desk in
            try await desk.server.extendAll(
                subscribersTo: desk.productID,
                by: length,
                storefronts: nil,
                in: .production
            )
            let counts = try await desk.server.progress(of: length.id, forProduct: desk.productID, in: .production)
            #expect(counts != nil)
        },
        Call("whose a purchase is", "appAccountToken") { desk in
            try await desk.support.setAppAccountToken(UUID(), of: desk.original, in: .production)
        },
        Call("what was bought under an order", "v1/lookup/") { desk in
            let order = SimulatedOrder.id(of: desk.transaction)
            let found = try await desk.support.transactions(ofOrder: order, at: desk.store.now())
            #expect(found?.isEmpty == false, "it passes for unknown")
        },
        Call("a test notification", "notifications/test") { desk in
            _ = try await desk.statuses.requestTestNotification(in: .production)
        },
    ]
}
