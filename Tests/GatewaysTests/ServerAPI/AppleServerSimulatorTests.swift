import Billing
import Foundation
import Gateways
import StoreSimulator
import Testing

@Suite("The client and the simulated App Store")
struct AppleServerSimulatorTests {
    @Test("a transaction is found in its environment, signed by the store for this app")
    func transaction() async throws {
        let store = try await TestAppStore()
        let api = try store.api()
        for environment in StoreEnvironment.allCases {
            let known = try #require(
                store.told.last { $0.environment == environment && $0.transaction != nil }?.transaction
            )
            let answer = try await api.transaction(known.id)
            #expect(answer.environment == environment)
            let transaction = try await store.verifier.transaction(
                answer.signedTransaction,
                for: store.app,
                in: answer.environment,
                at: store.now()
            )
            #expect(transaction.transactionID == known.id)
            #expect(transaction.productID == known.product.id)
            await #expect(throws: GatewayError.self) {
                let other: StoreEnvironment = environment == .production ? .sandbox : .production
                _ = try await store.verifier.transaction(
                    answer.signedTransaction,
                    for: store.app,
                    in: other,
                    at: store.now()
                )
            }
        }
        await store.server.stop()
    }

    @Test("a history is everything that the customer bought, page by page")
    func history() async throws {
        let store = try await TestAppStore()
        let one = try #require(store.active().first)
        let all = Set(store.told.filter { $0.customer == one.appAccountToken }.compactMap(\.transaction?.id))
        #expect(all.count > 20)
        var seen: [String] = []
        var sizes: [Int] = []
        for try await page in try store.api().history(of: one.originalID) {
            sizes.append(page.signedTransactions.count)
            let transactions = try await store.verifier.transactions(
                page.signedTransactions,
                for: store.app,
                at: store.now()
            )
            seen += transactions.compactMap(\.transactionID)
        }
        #expect(seen.count == all.count)
        #expect(Set(seen) == all)
        #expect(sizes.first == 20)
        await store.server.stop()
    }

    @Test("what changes while a history is read comes again at its end")
    func moved() async throws {
        let store = try await TestAppStore()
        let one = try #require(store.active().first)
        let api = try store.api()
        var seen: [String] = []
        var pages = api.history(of: one.id, in: .production).makeAsyncIterator()
        while let page = try await pages.next() {
            let transactions = try await store.verifier.transactions(
                page.signedTransactions,
                for: store.app,
                at: store.now()
            )
            seen += transactions.compactMap(\.transactionID)
            if seen.count == 20 {
                let token = UUID()
                _ = try await api.setAppAccountToken(token, of: one.originalID)
            }
        }
        #expect(seen.count > Set(seen).count)
        await store.server.stop()
    }

    @Test("the parameters of a history leave what they say")
    func filters() async throws {
        let store = try await TestAppStore()
        let one = try #require(store.active().first)
        let api = try store.api()
        func count(_ query: AppleHistoryQuery) async throws -> Int {
            var count = 0
            for try await page in api.history(of: one.id, query) { count += page.signedTransactions.count }
            return count
        }
        let all = try await count(AppleHistoryQuery())
        #expect(try await count(AppleHistoryQuery(productTypes: [.consumable])) == 0)
        #expect(
            try await count(AppleHistoryQuery(productTypes: [.consumable, .autoRenewable], sort: .descending)) == all
        )
        #expect(
            try await count(
                AppleHistoryQuery(from: one.purchaseDate, productIDs: [one.product.id], ownership: .purchased)
            ) == 1
        )
        #expect(try await count(AppleHistoryQuery(to: one.purchaseDate)) == all - 1)
        let revoked = try await count(AppleHistoryQuery(isRevoked: true))
        #expect(revoked < all)
        #expect(try await count(AppleHistoryQuery(isRevoked: false)) == all - revoked)
        let error = try await failure {
            _ = try await count(AppleHistoryQuery(from: one.expiresDate, to: one.purchaseDate))
        }
        #expect(error.code == .startDateAfterEndDate)
        await store.server.stop()
    }

    @Test("statuses, refunds, app transaction and order are those of the customer")
    func rest() async throws {
        let store = try await TestAppStore()
        let api = try store.api()
        let one = try #require(store.active().first)
        let statuses = try await api.subscriptionStatuses(of: one.id, only: [.active])
        let last = try #require(
            statuses.groups.first?.lastTransactions.first { $0.originalTransactionID == one.originalID }
        )
        #expect(last.status == .active)
        let renewal = try await store.verifier.renewalInfo(
            try #require(last.signedRenewal),
            for: store.app,
            in: .production,
            at: store.now()
        )
        #expect(renewal.originalTransactionID == one.originalID)
        let refunded = try #require(
            store.told.last { $0.type == "REFUND" && $0.environment == .production }?.transaction
        )
        var refunds: [AppleTransaction] = []
        for try await page in api.refunds(of: refunded.originalID) {
            refunds += try await store.verifier.transactions(page.signedTransactions, for: store.app, at: store.now())
        }
        #expect(refunds.contains { $0.transactionID == refunded.id && $0.revocationDate != nil })
        let signed = try await api.appTransaction(of: one.id).signedAppTransaction
        let app = try await store.verifier.appTransaction(signed, for: store.app, in: .production, at: store.now())
        #expect(app["bundleId"]?.string == store.app.bundleID)
        let order = try await api.order(SimulatedOrder.id(of: one.id))
        #expect(order.status == .valid)
        #expect(order.signedTransactions.count == 1)
        #expect(try await api.order("M0").status == .invalid)
        await store.server.stop()
    }

    @Test("the history of notifications has what arrived and what was lost, as it was sent")
    func notifications() async throws {
        let clock = SimulatedClock()
        let store = try await TestAppStore(as: .lost, clock: clock)
        let start = clock.now.addingTimeInterval(-179 * 86_400)
        let expected = store.told.filter { $0.environment == .production && $0.signedDate >= start }
        var uuids: [String] = []
        for try await page in try store.api().notifications(
            .init(from: start, to: clock.now, onlyFailures: true),
            in: .production
        ) {
            for sent in page.notifications {
                let notification = try await store.verifier.verify(
                    signedPayload: sent.signedPayload,
                    for: store.app,
                    at: clock.now
                )
                uuids.append(notification.notificationUUID)
                #expect(sent.attempts.first?.result == .noResponse)
                #expect(sent.attempts.count <= 6)
            }
        }
        #expect(uuids == expected.map { $0.notificationUUID.uuidString.lowercased() })
        #expect(expected.count > 60)
        let old = try await failure {
            let query = AppleNotificationQuery(from: clock.now.addingTimeInterval(-31 * 86_400), to: clock.now)
            _ = try await store.api().notificationPage(query, in: .sandbox)
        }
        #expect(old.code == .startDateTooFarInPast)
        await store.server.stop()
    }

    @Test("a list whose places expire in the middle is read again from its beginning")
    func expiredPlaces() async throws {
        let store = try await TestAppStore()
        let start = store.now().addingTimeInterval(-100 * 86_400)
        var pages = try store.api().notifications(.init(from: start, to: store.now()), in: .production)
            .makeAsyncIterator()
        let first = try await pages.next()
        store.server.expirePlaces()
        let again = try await pages.next()
        #expect(first?.notifications.count == 20)
        #expect(again?.notifications.map(\.attempts) == first?.notifications.map(\.attempts))
        while try await pages.next() != nil {}
        await store.server.stop()
    }

    @Test("a test notification is delivered, and its status says so")
    func test() async throws {
        let store = try await TestAppStore(
            customers: 0,
            endpoints: [SimulatedEndpoint("POST", "/hook") { _ in StoreResponse(status: 200) }]
        )
        let api = try store.api()
        let missing = try await failure { _ = try await api.requestTestNotification(in: .production) }
        #expect(missing.code == .serverNotificationURLNotFound)
        store.server.setWebhook(store.server.url() + "/hook")
        let token = try await api.requestTestNotification(in: .production).token
        await store.server.deliverDue()
        var status = try? await api.testNotificationStatus(token, in: .production)
        while status == nil { status = try? await api.testNotificationStatus(token, in: .production) }
        #expect(status?.attempts.map(\.result) == [.success])
        let unknown = try await failure { _ = try await api.testNotificationStatus(UUID().uuidString, in: .production) }
        #expect(unknown.code == .testNotificationNotFound)
        await store.server.stop()
    }

    @Test("an extension moves the end once, however often it is asked for, and is told")
    func extend() async throws {
        let store = try await TestAppStore()
        let api = try store.api(timeout: .seconds(2))
        let one = try #require(store.active().first)
        let length = AppleExtension(days: 10, reason: .outage, requestIdentifier: "once")
        store.server.fail(
            SimulatedFault(.silenceAfterEffect),
            SimulatedFault(.hangUpAfterEffect),
            SimulatedFault(.cutAfterEffect)
        )
        let answer = try await api.extend(one.originalID, by: length)
        #expect(answer.isSuccess)
        #expect(answer.effectiveDate == one.expiresDate.addingTimeInterval(864_000))
        #expect(
            store.server.sendings().count { $0.message.type == "RENEWAL_EXTENDED" } == told(store, "RENEWAL_EXTENDED")
                + 1
        )
        _ = try await api.extend(
            one.originalID,
            by: AppleExtension(days: 1, reason: .other, requestIdentifier: "twice")
        )
        let third = AppleExtension(days: 1, reason: .other, requestIdentifier: "thrice")
        #expect(
            try await failure { _ = try await api.extend(one.originalID, by: third) }.code == .subscriptionMaxExtension
        )
        let nobody = try await failure { _ = try await api.extend("999", by: length) }
        #expect(nobody.code == .originalTransactionIDNotFound)
        #expect(nobody.environment == .sandbox)
        await store.server.stop()
    }

    @Test("an extension of many extends each, tells the sum, and its status is complete")
    func extendAll() async throws {
        let store = try await TestAppStore()
        let api = try store.api()
        let product = try #require(store.active().first).product.id
        let length = AppleExtension(days: 3, reason: .outage, requestIdentifier: "all")
        for _ in 0..<2 { _ = try await api.extendAll(subscribersTo: product, by: length, in: .production) }
        let status = try await api.extensionStatus(of: product, requestIdentifier: "all", in: .production)
        let active = store.active().count { $0.product.id == product }
        #expect(status.isComplete)
        #expect(status.succeededCount == Int64(active))
        let summaries = store.server.sendings().filter { $0.message.subtype == "SUMMARY" }
        #expect(summaries.count == 1)
        let error = try await failure {
            _ = try await api.extendAll(
                subscribersTo: product,
                by: AppleExtension(days: 3, reason: .other, requestIdentifier: "x"),
                storefronts: [],
                in: .production
            )
        }
        #expect(error.code == .emptyStorefrontCountryCodes)
        await store.server.stop()
    }

    @Test("consumption and the app account token arrive as they were sent")
    func effects() async throws {
        let store = try await TestAppStore()
        let api = try store.api()
        let one = try #require(store.active().first)
        let consumption = AppleConsumption(
            customerConsented: true,
            sampleContentProvided: false,
            deliveryStatus: .delivered,
            refundPreference: .grantProrated
        )
        _ = try await api.sendConsumption(consumption, of: one.id)
        #expect(store.server.consumptions().map(\.transactionID) == [one.id])
        #expect(store.server.consumptions().first?.body["refundPreference"] == "GRANT_PRORATED")
        var wrong = consumption
        wrong.consumptionPercentage = 50_000
        #expect(
            try await failure { _ = try await api.sendConsumption(wrong, of: one.id) }.code
                == .invalidConsumptionPercentage
        )
        wrong.customerConsented = false
        #expect(
            try await failure { _ = try await api.sendConsumption(wrong, of: one.id) }.code == .invalidCustomerConsented
        )
        let token = UUID()
        _ = try await api.setAppAccountToken(token, of: one.originalID)
        #expect(store.server.transaction(one.id)?["appAccountToken"]?.string == token.uuidString.lowercased())
        #expect(
            try await failure { _ = try await api.setAppAccountToken(token, of: one.id) }.code
                == .notOriginalTransactionID
        )
        _ = try await api.finish(one.id)
        #expect(store.server.isFinished(one.id))
        await store.server.stop()
    }

    @Test("every code of Apple's is told as it was said")
    func codes() async throws {
        let store = try await TestAppStore(customers: 0)
        let api = try store.api(pauses: [])
        for code in AppleErrorCode.allCases.map(\.rawValue) + [4_999_999, 5_990_000] {
            store.server.fail(SimulatedFault(.error(code: code)))
            let error = try await failure { _ = try await api.transaction("1", in: .production) }
            #expect(error.rawCode == code)
            #expect(error.code?.rawValue == (AppleErrorCode(rawValue: code) == nil ? nil : code))
            #expect(error.httpStatus == Int(code / 10_000))
            #expect(error.message?.hasSuffix(".") == true)
        }
        await store.server.stop()
    }

    @Test("what belongs to a family or is over cannot be put off, nor what is shared given to an account")
    func refusals() async throws {
        let clock = SimulatedClock(standingAt: Date(timeIntervalSince1970: 1_795_000_000))
        let store = try await TestAppStore(customers: 120, clock: clock)
        let api = try store.api()
        var last: [String: SimulatedNotification] = [:]
        for notification in store.told where notification.environment == .production {
            if let transaction = notification.transaction { last[transaction.originalID] = notification }
        }
        func original(_ isWanted: (SimulatedNotification, SimulatedTransaction) -> Bool) throws -> String {
            let found = last.values.first { sent in sent.transaction.map { isWanted(sent, $0) } ?? false }
            return try #require(found?.transaction?.originalID)
        }
        let length = AppleExtension(days: 3, reason: .other, requestIdentifier: "refused")
        let shared = try original { $0.status == 1 && $1.isFamilyShared }
        for (id, code) in [
            (shared, .familySubscriptionExtensionIneligible),
            (try original { $0.status == 2 && !$1.isFamilyShared }, .subscriptionExtensionIneligible),
        ] as [(String, AppleErrorCode)] {
            let error = try await failure { _ = try await api.extend(id, by: length, in: .production) }
            #expect(error.code == code)
        }
        let error = try await failure { _ = try await api.setAppAccountToken(UUID(), of: shared, in: .production) }
        #expect(error.code == .familyTransactionNotSupported)
        #expect(!store.server.sendings().contains { $0.attempts.isEmpty })
        await store.server.stop()
    }

    @Test("what goes wrong for a moment is not noticed")
    func moods() async throws {
        let store = try await TestAppStore()
        let api = try store.api()
        // Only a missing answer needs a short time limit: on a busy machine the others may take longer.
        let impatient = try store.api(timeout: .seconds(2))
        let one = try #require(store.active().first)
        let moods: [SimulatedFault.Kind] = [
            .tooManyRequests(), .tooManyRequests(retryAfter: .milliseconds(200)), .status(500), .status(503),
            .error(code: 5_000_000), .error(code: 5_000_001), .error(code: 4_040_002), .hangUpAfterEffect,
            .cutAfterEffect, .malformed, .late(.milliseconds(50)),
        ]
        let silences: [SimulatedFault.Kind] = [.silence, .silenceAfterEffect, .late(.seconds(10))]
        for (api, moods) in [(api, moods), (impatient, silences)] {
            for mood in moods {
                store.server.fail(SimulatedFault(mood))
                #expect(try await api.transaction(one.id, in: .production).environment == .production, "\(mood)")
            }
        }
        store.server.fail(SimulatedFault(.tooManyRequests(retryAfter: .seconds(3_600))))
        let far = try await failure { _ = try await api.transaction(one.id) }
        #expect(far.retryAfter.map { $0.timeIntervalSince(store.now()) > 3_500 } == true)
        await store.server.stop()
    }

    @Test("a store that is away is unreachable, and the same port answers again once it is back")
    func away() async throws {
        let store = try await TestAppStore()
        let one = try #require(store.active().first)
        let impatient = try store.api(pauses: [])
        let port = store.server.port
        _ = try await impatient.transaction(one.id)
        await store.server.stop()
        let error = try await failure { _ = try await impatient.transaction(one.id) }
        #expect(error.cause?.code == .unreachable)
        #expect(error.isRetryable)
        try await store.server.start()
        #expect(store.server.port == port)
        _ = try await impatient.transaction(one.id)
        await store.server.stop()
    }

    @Test("an app that was never released is known to the sandbox only; a foreign key to nobody")
    func unknownApps() async throws {
        let store = try await TestAppStore()
        store.server.setReleased(false)
        let tester = try #require(store.told.last { $0.environment == .sandbox && $0.transaction != nil }?.transaction)
        #expect(try await store.api().transaction(tester.id).environment == .sandbox)
        store.server.setReleased(true)
        let stranger = AppleServerAPI(
            try SimulatedAPIKey().credentials(bundleID: store.app.bundleID),
            hosts: try store.server.hosts
        )
        let error = try await failure { _ = try await stranger.transaction(tester.id) }
        #expect(error.isUnauthorized)
        #expect(!error.isRetryable)
        await store.server.stop()
    }

    private func told(_ store: TestAppStore, _ type: String) -> Int {
        store.told.count { $0.type == type && $0.environment == .production }
    }
}
