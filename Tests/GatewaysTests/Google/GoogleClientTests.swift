import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("What the Google Play Developer API is asked, and what of its answers ends anything") struct GoogleClientTests {
    @Test("one token serves until it is over; one that Google does not take is renewed once") func tokens() async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            let client = try store.reader.client
            func asked() -> Int { store.google.asked.count { $0 == "POST /token" } }
            for _ in 0..<3 { _ = try await client.subscription(token) }
            #expect(asked() == 1)
            store.google.forgetAccessTokens()
            _ = try await client.subscription(token)
            #expect(asked() == 2)
            store.clock.advance(by: 3_700)
            _ = try await client.subscription(token)
            #expect(asked() == 3)
            store.google.be(.unauthorized, at: "subscriptionsv2", times: 9)
            let failure = await store.failure { _ = try await client.subscription(token) }
            guard case .misconfigured? = failure else {
                Issue.record("it is \(String(describing: failure))")
                return
            }
            #expect(asked() == 4)
        }
    }

    @Test("a key that Google deleted is our setting; a token endpoint that is away is not") func deletedKey()
        async throws
    {
        try await GoogleStore.run { store in
            var account = store.account
            var file = store.google.serviceAccountFile
            file["private_key"] = .string(try GoogleStore.googleKey.get().pkcs8PEMRepresentation)
            account.secrets[GoogleSetting.serviceAccount] = Secret(String(decoding: file.bytes, as: UTF8.self))
            let stranger = try #require(try store.gateway.client(of: account))
            let failure = await store.failure { _ = try await stranger.subscription("t") }
            guard case .misconfigured? = failure else {
                Issue.record("it is \(String(describing: failure))")
                return
            }
            store.google.be(.page(503), at: "/token", times: 9)
            let away = await store.failure { _ = try await store.reader.client.subscription("t") }
            #expect(away?.isAway == true)
        }
    }

    @Test("404 of a fresh purchase is asked again, and is Google's no in the end; 410 is, at once") func unknown()
        async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            store.google.be(.unknown, at: "subscriptionsv2", times: 2)
            #expect(try await store.newest().count == 1)
            let proof = PurchaseProof.purchaseToken("tok/nobody")
            let source = try #require(try store.gateway.purchases(of: store.account))
            let failure = await store.failure { _ = try await source.confirm(proof, at: store.now) }
            #expect(failure?.refusal?.code == 404)
            store.google.be(.gone, at: "subscriptionsv2")
            let gone = await store.failure {
                _ = try await source.confirm(.purchaseToken(token), at: store.now)
            }
            #expect(gone?.refusal?.code == 410)
        }
    }

    @Test("a right that is missing is our setting; quotas, conflicts and faults are asked again") func moods()
        async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            let client = try store.reader.client
            for mood: SimulatedGoogleMood in [.quota, .conflict, .page(500), .page(429), .hangUpAfterEffect] {
                store.google.be(mood, at: "subscriptionsv2", times: 2)
                #expect(try await client.subscription(token).state == .active)
                store.google.be(mood, at: "subscriptionsv2", times: 3)
                let failure = await store.failure { _ = try await client.subscription(token) }
                #expect(failure != nil && failure?.refusal == nil, "\(mood)")
            }
            store.google.be(.forbidden, at: "subscriptionsv2")
            let failure = await store.failure { _ = try await client.subscription(token) }
            guard case .misconfigured? = failure else {
                Issue.record("it is \(String(describing: failure))")
                return
            }
        }
    }

    @Test("what Google leaves out is false or nobody: no renewal, no linked purchase") func missingMembers()
        async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            store.google.be(.leavingOut(["autoRenewEnabled"]), at: "subscriptionsv2")
            let event = try #require(try await store.newest().first)
            #expect(event.renewal?.renewsAutomatically == false)
            _ = store.google.change(token, to: GoogleStore.yearly)
            store.google.be(.leavingOut(["linkedPurchaseToken"]), at: "subscriptionsv2")
            let pushes = store.google.pushes
            let unlinked = try #require(try await store.meaning(of: pushes[pushes.count - 2]).first)
            #expect(unlinked.kind == .subscribed)
            #expect(unlinked.transaction.previousOriginalID == nil)
        }
    }

    @Test("a purchase is acknowledged once, and never before it is paid for and delivered") func acknowledged()
        async throws
    {
        try await GoogleStore.run { store in
            let server = try #require(try store.gateway.acknowledgements(of: store.account))
            #expect(GoogleStoreServer.acknowledgementTime == Store.google.rules.acknowledgementTime)
            func order(_ token: String) throws -> String { try #require(store.google.purchase(token)?.orders.first) }
            let token = store.google.buy(GoogleStore.monthly)
            // By its token, and by its order, as what was kept before tokens were.
            for known in [KnownPurchase(try order(token), token: token), KnownPurchase(try order(token))] {
                let isKnown = store.google.purchase(token)?.isAcknowledged == true
                #expect(try await server.acknowledge(known, isDelivered: false) == (isKnown ? .unneeded : .tooEarly))
                #expect(store.google.purchase(token)?.isAcknowledged == isKnown)
                #expect(try await server.acknowledge(known, isDelivered: true) == (isKnown ? .unneeded : .told))
                #expect(store.google.purchase(token)?.isAcknowledged == true)
            }
            let once = store.google.buyOnce("coins", Money(minorUnits: 299, currency: GoogleStore.eur))
            let coins = KnownPurchase(try order(once), kind: .nonConsumable, token: once)
            #expect(try await server.acknowledge(coins, isDelivered: false) == .tooEarly)
            #expect(try await server.acknowledge(coins, isDelivered: true) == .told)
            #expect(try await server.acknowledge(KnownPurchase(try order(once)), isDelivered: true) == .unneeded)
            let slow = store.google.buy(GoogleStore.monthly, isPending: true)
            #expect(try await server.acknowledge(KnownPurchase("?", token: slow), isDelivered: true) == .tooEarly)
            // The answer was lost: telling again does no harm.
            let other = store.google.buy(GoogleStore.basic)
            store.google.be(.hangUpAfterEffect, at: ":acknowledge")
            #expect(try await server.acknowledge(KnownPurchase(try order(other)), isDelivered: true) == .told)
            // Of what Google has forgotten nothing is to be told.
            store.google.be(.gone, at: "subscriptionsv2")
            let forgotten = KnownPurchase(try order(other), token: other)
            #expect(try await server.acknowledge(forgotten, isDelivered: true) == .unneeded)
        }
    }

    @Test("a renewal is put off once, also when the answer was lost or somebody else was quicker") func deferral()
        async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            let order = try #require(store.google.purchase(token)?.orders.first)
            let end = try #require(store.google.purchase(token)?.expiresAt)
            let server = try #require(try store.gateway.server(of: store.account))
            let length = StoreExtension(id: UUID(), days: 10, reason: .outage, from: end)
            store.google.be(.hangUpAfterEffect, at: ":defer")
            let lost = await store.failure { _ = try await server.extend(order, by: length, in: .production) }
            #expect(lost != nil && lost?.refusal == nil)
            let wanted = end.addingTimeInterval(10 * 86_400)
            #expect(try await server.extend(order, by: length, in: .production) == wanted)
            #expect(store.google.purchase(token)?.expiresAt == wanted)
            store.google.be(.conflict, at: ":defer")
            let more = StoreExtension(id: UUID(), days: 5, reason: .outage, from: wanted)
            let moved = wanted.addingTimeInterval(5 * 86_400)
            #expect(try await server.extend(order, by: more, in: .production) == moved)
            #expect(store.google.purchase(token)?.expiresAt == moved)
            let unknownEnd = StoreExtension(id: UUID(), days: 5, reason: .outage)
            let refused = await store.failure { _ = try await server.extend(order, by: unknownEnd, in: .production) }
            #expect(refused?.refusal != nil)
        }
    }

    @Test("an order is given back once, with and without revoking; a part of one is refused") func refunds()
        async throws
    {
        try await GoogleStore.run { store in
            let server = try #require(try store.gateway.refunds(of: store.account))
            func refund(_ order: String, revokes: Bool, units: Int64 = 999) -> StoreRefund {
                StoreRefund(
                    number: "RF-1",
                    orderNumber: "R-1",
                    transactionID: order,
                    amount: Money(minorUnits: units, currency: GoogleStore.eur),
                    total: Money(minorUnits: 999, currency: GoogleStore.eur),
                    reason: "asked",
                    revokes: revokes
                )
            }
            let kept = store.google.buy(GoogleStore.monthly)
            let order = try #require(store.google.purchase(kept)?.orders.first)
            let part = await store.failure { _ = try await server.refund(refund(order, revokes: false, units: 500)) }
            #expect(part?.refusal != nil)
            #expect(try await server.standing(of: refund(order, revokes: false)) == nil)
            store.google.be(.hangUpAfterEffect, at: ":refund")
            // Nobody answered, and the order says that it was done.
            #expect(try await server.refund(refund(order, revokes: false)).state == .succeeded)
            #expect(try await server.refund(refund(order, revokes: false)).state == .succeeded)
            #expect(store.google.asked.count { $0.hasSuffix(":refund") } == 1)
            #expect(store.google.purchase(kept)?.state == "ACTIVE")
            let revoked = store.google.buy(GoogleStore.monthly)
            let other = try #require(store.google.purchase(revoked)?.orders.first)
            #expect(try await server.refund(refund(other, revokes: true)).state == .succeeded)
            #expect(store.google.purchase(revoked)?.state == "EXPIRED")
        }
    }

    @Test("a renewal is turned off once, and what is paid for stays") func cancelled() async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            let order = try #require(store.google.purchase(token)?.orders.first)
            let server = try #require(try store.gateway.renewals(of: store.account))
            let event = try await server.cancelRenewal(of: KnownPurchase(order))
            #expect(event.kind == .autoRenewDisabled)
            #expect(event.renewal?.renewsAutomatically == false)
            #expect(event.status == .active)
            #expect(try await server.cancelRenewal(of: KnownPurchase(order)).kind == .autoRenewDisabled)
            #expect(store.google.asked.count { $0.hasSuffix(":cancel") } == 1)
        }
    }

    @Test("revoking says how much is given back") func revocations() async throws {
        try await GoogleStore.run { store in
            let client = try store.reader.client
            for refund: GoogleRevocation in [.full, .prorated, .item("pro")] {
                let token = store.google.buy(GoogleStore.monthly)
                try await client.revoke(token, refund)
                #expect(try await client.subscription(token).state == .expired)
            }
        }
    }

    @Test("a purchase token proves nothing until Google speaks, and then all of its orders") func proof() async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly, account: GoogleStore.ada?.uuidString)
            for _ in 0..<3 {
                store.days(30)
                store.google.renew(token)
            }
            let source = try #require(try store.gateway.purchases(of: store.account))
            let proof = PurchaseProof.purchaseToken(token)
            let read = try await source.read(proof, at: store.now)
            #expect(read.events.isEmpty && read.unconfirmed.isEmpty && read.needsConfirmation)
            let events = try await source.confirm(proof, at: store.now).events
            #expect(events.map(\.transaction.id) == store.google.purchase(token)?.orders)
            #expect(events.allSatisfy { $0.kind == .observed && $0.transaction.customerToken == GoogleStore.ada })
            #expect(SubscriptionHistory(events).replay().books.orders.count == 4)
            let once = store.google.buyOnce("coins", Money(minorUnits: 299, currency: GoogleStore.eur))
            let bought = try await source.confirm(.purchaseToken(once), at: store.now).events
            #expect(bought.map(\.transaction.productID) == ["coins"])
            let waiting = store.google.buy(GoogleStore.monthly, isPending: true)
            let tooEarly = await store.failure { _ = try await source.confirm(.purchaseToken(waiting), at: store.now) }
            #expect(tooEarly != nil && tooEarly?.refusal == nil)
            for other: PurchaseProof in [
                .receipt("r"), .transactionID("GPA.1"), .signedTransactions(["a.b.c"]), .purchaseToken(""),
            ] {
                await #expect(throws: GatewayError.self) { _ = try await source.read(other, at: store.now) }
            }
            #expect(ProofWorth(of: .purchaseToken, isConfirmed: false) == .nothing)
            #expect(ProofWorth(of: .purchaseToken, isConfirmed: true) == .proven)
        }
    }

    @Test("voided purchases are read page by page, and taken in like the pushes that tell of them; a forged one is not")
    func voided() async throws {
        try await GoogleStore.run { store in
            var orders: [String] = []
            for _ in 0..<3 {
                let token = store.google.buy(GoogleStore.monthly)
                orders += store.google.purchase(token)?.orders ?? []
            }
            store.days(1)
            for order in orders { store.google.chargeBack(order) }
            store.days(1)
            let source = try #require(try store.gateway.reconciliation(of: store.account))
            let pages = Pages()
            try await source.readSentMessages(
                from: store.now.addingTimeInterval(-90 * 86_400),
                to: store.now.addingTimeInterval(86_400),
                in: .production
            ) { await pages.add($0) }
            let messages = await pages.all.flatMap(\.messages)
            #expect(messages.count == 3)
            for (order, sent) in zip(orders, messages) {
                let message = try await store.gateway.open(sent.delivery).verify(for: store.account, at: store.now)
                #expect(message.id == "voided:\(order)")
                let content = try await store.gateway.resolve(sent.delivery.payload, for: store.account)
                #expect(content.events.first?.kind == .refunded)
                #expect(content.events.first?.transaction.id == order)
                var forged = sent.delivery
                forged.payload = forged.payload.replacing("voided:", with: "voided;")
                await #expect(throws: GatewayError.self) {
                    _ = try await store.gateway.open(forged).verify(for: store.account, at: store.now)
                }
                let bare = StoreDelivery(sent.delivery.payload)
                await #expect(throws: GatewayError.self) {
                    _ = try await store.gateway.open(bare).verify(for: store.account, at: store.now)
                }
            }
            #expect(source.memory(in: .production) == 30 * 86_400)
        }
    }

    @Test("a silent subscription is asked about: what was lost is told, and what Google forgot changes nothing")
    func silent() async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            let first = try #require(store.google.purchase(token)?.orders.first)
            for _ in 0..<3 {
                store.days(30)
                store.google.renew(token)
            }
            let source = try #require(try store.gateway.reconciliation(of: store.account))
            let standing = try await source.events(of: first, besides: [first], in: .production, at: store.now)
            #expect(standing?.events.map(\.transaction.id) == ["\(first)..0", "\(first)..1", "\(first)..2"])
            #expect(try await source.events(of: "GPA.0", besides: [], in: .production, at: store.now) == nil)
            #expect(try await source.transaction("GPA.0", in: .production, at: store.now) == nil)
            store.google.be(.gone, at: "subscriptionsv2")
            #expect(
                try await source.events(of: first, besides: [first], in: .production, at: store.now)?.events.isEmpty
                    == true
            )
        }
    }

    @Test("pushes that are not taken come again, with the same id") func redelivered() async throws {
        try await GoogleStore.run { store in
            store.google.buy(GoogleStore.monthly)
            let busy = StubTransport([.page(503), .page(500), .response(StoreResponse(status: 204))])
            for _ in 0..<3 { try await store.google.deliver(to: "http://127.0.0.1:9/webhooks/google", over: busy) }
            #expect(busy.asked.count == 3)
            let ids = try busy.asked.map {
                try GooglePush(String(decoding: $0.body ?? Data(), as: UTF8.self)).messageID
            }
            #expect(Set(ids).count == 1)
            #expect(store.google.pushes.allSatisfy { $0.isDelivered })
        }
    }
}
