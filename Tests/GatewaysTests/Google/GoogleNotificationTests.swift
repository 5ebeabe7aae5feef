import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("What Google's notifications mean, by the state that Google answers")
struct GoogleNotificationTests {
    /// A notification, the state behind it, and the event that follows.
    struct Row: Sendable, CustomTestStringConvertible {
        let change: GoogleSubscriptionChange
        let life: @Sendable (GoogleStore) async throws -> Void
        let kind: StoreEvent.Kind?
        let state: Subscription.State

        var testDescription: String { change.name }

        init(
            _ change: GoogleSubscriptionChange,
            _ kind: StoreEvent.Kind?,
            _ state: Subscription.State,
            _ life: @escaping @Sendable (GoogleStore) async throws -> Void
        ) {
            (self.change, self.kind, self.state, self.life) = (change, kind, state, life)
        }

        static let all: [Row] = [
            Row(.purchased, .subscribed, .active) {
                $0.google.buy(GoogleStore.monthly, account: GoogleStore.ada?.uuidString)
            },
            Row(.renewed, .renewed, .active) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.days(30)
                store.google.renew(token)
            },
            Row(.recovered, .recovered, .active) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.days(30)
                store.google.hold(token)
                store.days(3)
                store.google.renew(token)
            },
            Row(.canceled, .autoRenewDisabled, .cancelled) { $0.google.cancel($0.google.buy(GoogleStore.monthly)) },
            Row(.restarted, .autoRenewEnabled, .active) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.google.cancel(token)
                store.days(1)
                store.google.restart(token)
            },
            Row(.inGracePeriod, .gracePeriodEntered, .gracePeriod) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.days(30)
                store.google.failCharge(token, grace: 7)
            },
            Row(.onHold, .billingRetryEntered, .billingRetry) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.days(30)
                store.google.hold(token)
            },
            Row(.paused, .paused, .paused) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.days(30)
                store.google.pause(token, days: 14)
            },
            Row(.pauseScheduleChanged, .observed, .active) { $0.google.planPause($0.google.buy(GoogleStore.monthly)) },
            Row(.expired, .expired, .expired) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.google.cancel(token)
                store.days(30)
                store.google.expire(token)
            },
            Row(.revoked, .revoked, .revoked) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.days(3)
                store.google.revoke(token, refunding: false)
            },
            Row(.deferred, .renewalExtended, .active) { store in
                let token = store.google.buy(GoogleStore.monthly)
                let original = try #require(store.google.purchase(token)?.orders.first)
                let length = StoreExtension(
                    id: UUID(),
                    days: 10,
                    reason: .outage,
                    from: store.google.purchase(token)?.expiresAt
                )
                _ = try await store.gateway.server(of: store.account)?.extend(original, by: length, in: .production)
            },
            Row(.priceChangeUpdated, .priceIncreasePending, .active) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.google.raisePrice(
                    token,
                    to: Money(minorUnits: 1_299, currency: GoogleStore.eur),
                    isConfirmed: false
                )
            },
            Row(.priceChangeConfirmed, .priceIncreaseAccepted, .active) { store in
                let token = store.google.buy(GoogleStore.monthly)
                store.google.raisePrice(
                    token,
                    to: Money(minorUnits: 1_299, currency: GoogleStore.eur),
                    isConfirmed: true
                )
                store.google.tell(.priceChangeConfirmed, token)
            },
            Row(.priceStepUpConsentUpdated, .observed, .active) { store in
                store.google.tell(.priceStepUpConsentUpdated, store.google.buy(GoogleStore.monthly))
            },
            Row(.cancellationScheduled, .observed, .active) { store in
                store.google.tell(.cancellationScheduled, store.google.buy(GoogleStore.monthly))
            },
            Row(.itemsChanged, .subscribed, .active) { store in
                store.google.tell(.itemsChanged, store.google.buy(GoogleStore.monthly, addOns: [GoogleStore.extra]))
            },
            Row(.pendingPurchaseCanceled, nil, .pending) { store in
                store.google.abandon(store.google.buy(GoogleStore.monthly, isPending: true))
            },
        ]
    }

    @Test("each number is an event with the state's own word", arguments: Row.all)
    func row(_ row: Row) async throws {
        try await GoogleStore.run { store in
            try await row.life(store)
            let push = try #require(store.google.pushes.last)
            let sent = try await store.gateway.open(store.google.delivery(of: push)).verify(
                for: store.account,
                at: store.now
            )
            #expect(sent.type == row.change.name)
            #expect(sent.id == push.id)
            let events = try await store.newest()
            #expect(events.first?.kind == row.kind)
            #expect(events.allSatisfy { $0.store == .google && $0.environment == .production })
            // What it means for somebody of whom nothing else was told.
            let outcome = SubscriptionHistory(events.prefix(1)).replay()
            #expect(outcome.steps.allSatisfy { $0.rejectionReason == nil })
            #expect(outcome.subscription.state == row.state)
            #expect(
                outcome.subscription.hasAccess(at: store.now)
                    == [.active, .cancelled, .gracePeriod, .trial].contains(row.state)
            )
        }
    }

    @Test("every number that Google documents has a row") func complete() {
        #expect(Set(Row.all.map(\.change)) == Set(GoogleSubscriptionChange.allCases))
    }

    @Test("a number that nobody knows is asked about all the same: the state decides") func unknownNumber() async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            let push = try #require(store.google.pushes.last)
            let text = String(decoding: push.notification.bytes, as: UTF8.self)
            var odd = push
            odd.notification = try JSON(
                parsing: Array(text.replacing("\"notificationType\":4", with: "\"notificationType\":99").utf8)
            )
            let events = try await store.meaning(of: odd)
            #expect(events.map(\.kind) == [.subscribed])
            #expect(store.google.purchase(token)?.orders == events.map(\.transaction.id))
        }
    }

    @Test("a purchase says product and base plan, price, period, country and account") func purchase() async throws {
        try await GoogleStore.run { store in
            store.google.buy(GoogleStore.monthly, account: GoogleStore.ada?.uuidString)
            let event = try #require(try await store.newest().first)
            let sold = event.transaction
            #expect(sold.productID == "pro:monthly")
            #expect(sold.price == Money(minorUnits: 999, currency: GoogleStore.eur))
            #expect(sold.purchasedAt == store.now)
            #expect(sold.expiresAt == store.now.addingTimeInterval(30 * 86_400))
            #expect(sold.storefront == "DEU")
            #expect(sold.customerToken == GoogleStore.ada)
            #expect(sold.id == sold.originalID)
            #expect(sold.reason == .purchase)
            #expect(event.status == .active)
            #expect(event.renewal?.renewsAutomatically == true)
            #expect(event.renewal?.renewsAt == sold.expiresAt)
        }
    }

    @Test("a renewal has the number of the first order, and another id than it") func renewalNumbers() async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            let first = try #require(store.google.purchase(token)?.orders.first)
            for number in 0..<3 {
                store.days(30)
                store.google.renew(token)
                let sold = try #require(try await store.newest().first?.transaction)
                #expect(sold.id == "\(first)..\(number)")
                #expect(sold.originalID == first)
                #expect(sold.reason == .renewal)
            }
        }
    }

    @Test("tests, and what is not known here, concern nobody") func ignored() async throws {
        try await GoogleStore.run { store in
            store.google.sendTest()
            let test = try await store.newest()
            #expect(test.isEmpty)
            store.google.publishPoison()
            let poison = try await store.newest()
            #expect(poison.isEmpty)
        }
    }

    @Test("a purchase that waits for its payment is nothing yet, and one when it came") func pending() async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly, isPending: true)
            let waiting = try await store.newest()
            #expect(waiting.isEmpty)
            store.google.pay(token)
            let paid = try await store.newest()
            #expect(paid.map(\.kind) == [.subscribed])
        }
    }

    @Test("ONE_TIME_PRODUCT_PURCHASED is a purchase once it is paid for; ONE_TIME_PRODUCT_CANCELED never was one")
    func oneTime() async throws {
        try await GoogleStore.run { store in
            let price = Money(minorUnits: 299, currency: GoogleStore.eur)
            store.google.buyOnce("coins", price, account: GoogleStore.ada?.uuidString)
            let event = try #require(try await store.newest().first)
            #expect(event.kind == .purchasedOnce)
            #expect(event.transaction.productID == "coins")
            #expect(event.transaction.price == price)
            #expect(event.transaction.customerToken == GoogleStore.ada)
            #expect(event.transaction.kind == .nonConsumable && event.transaction.isKindAssumed == true)
            let slow = store.google.buyOnce("coins", price, isPending: true)
            #expect(try await store.newest().isEmpty)
            store.google.abandonOnce(slow)
            #expect(try await store.newest().isEmpty)
        }
    }

    @Test("VOIDED_PURCHASE gives the order's money back, and is one message however it is told") func voided()
        async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            let order = try #require(store.google.purchase(token)?.orders.first)
            store.days(2)
            store.google.chargeBack(order)
            let push = try #require(store.google.pushes.last)
            let message = try await store.gateway.open(store.google.delivery(of: push)).verify(
                for: store.account,
                at: store.now
            )
            #expect(message.id == "voided:\(order)")
            let event = try #require(try await store.newest().first)
            #expect(event.kind == .refunded)
            #expect(event.transaction.id == order)
            #expect(event.transaction.revocation?.milliPercent == 100_000)
            #expect(event.transaction.revocation?.at == store.now)
            // The bank took the money; Google has not ended the subscription.
            #expect(event.transaction.revocation?.keepsAccess == true)
        }
    }

    @Test(
        "a bank's question about several items is one question, and what happened since is not of before it"
    )
    func reviewOfSeveral() async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly, addOns: [GoogleStore.extra])
            let order = try #require(store.google.purchase(token)?.orders.first)
            store.days(2)
            store.google.askAboutRefund(order, token: "review-1")
            let asked = store.now
            let push = try #require(store.google.pushes.last)
            let events = try await store.meaning(of: push)
            #expect(events.first?.kind == .refundRequested && events.first?.transaction.id == order)
            #expect(events.count { $0.kind == .refundRequested } == 1)
            #expect(events.count { $0.reviewToken != nil } == 1)
            #expect(Set(events.map(\.transaction.id)) == [order, "\(order):extra"])
            // The message is read a day later, after the bank took the money.
            store.days(1)
            store.google.chargeBack(order)
            let late = try await store.meaning(of: push)
            let question = try #require(late.first)
            #expect(question.kind == .refundRequested && question.signedAt == asked)
            #expect(question.transaction.revocation == nil)
            let since = late.filter { $0.transaction.revocation != nil }
            #expect(Set(since.map(\.transaction.id)) == [order, "\(order):extra"])
            #expect(since.allSatisfy { $0.kind == .observed && $0.signedAt == store.now })
            #expect(late.count { $0.kind == .refundRequested } == 1)
        }
    }

    @Test("an answer is as of when it was asked for at last, and not of the first question that nobody answered")
    func askedAgain() async throws {
        try await GoogleStore.run { store in
            let clock = store.clock
            let patient = GoogleGateway(
                policy: AppleRetryPolicy(pauses: [.seconds(600), .seconds(600)], longestWait: .seconds(600)),
                clock: AppleServerClock(now: { clock.now }, sleep: { _ in clock.advance(by: 600) }, jitter: { 0 })
            )
            let once = store.google.buyOnce("coins", Money(minorUnits: 299, currency: GoogleStore.eur))
            let token = store.google.buy(GoogleStore.monthly)
            let order = try #require(store.google.purchase(token)?.orders.first)
            let reader = GoogleReader(client: try #require(try patient.client(of: store.account)))
            for (path, about) in [("subscriptionsv2", "subscription"), ("productsv2", "product"), ("orders/", "order")]
            {
                let first = store.now
                store.google.be(.page(503), at: path)
                let event =
                    switch about {
                    case "subscription": try await reader.events(of: reader.facts(of: token), besides: [order]).last
                    case "product": try await reader.purchaseFacts(of: once).events(id: "m").first
                    default: try await reader.events(ofOrder: order, token: nil, id: "m", kind: .observed).first
                    }
                #expect(event?.signedAt == first.addingTimeInterval(600), "\(about)")
                store.google.mend()
            }
        }
    }

    @Test("PENDING_REFUND_REVIEW is a question about a refund, with the token for its answer") func review()
        async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly, account: GoogleStore.ada?.uuidString)
            let order = try #require(store.google.purchase(token)?.orders.first)
            store.google.askAboutRefund(order, token: "review-1")
            let event = try #require(try await store.newest().first)
            #expect(event.kind == .refundRequested)
            #expect(event.reviewToken == "review-1")
            #expect(event.transaction.customerToken == GoogleStore.ada)
            let answer = StoreAnswer(
                preference: .decline,
                percentage: 45_200,
                providesSamples: true,
                reviewToken: event.reviewToken
            )
            try await store.gateway.server(of: store.account)?.answer(answer, about: order, in: .production)
            let said = try #require(store.google.reviews.first)
            #expect(said.order == order)
            #expect(said.body["refundPreference"] == "DECLINE")
            #expect(said.body["consumptionPercentageMilliunits"] == 45_200)
            #expect(GoogleStoreServer.reviewPatience == 86_400)
        }
    }
}
