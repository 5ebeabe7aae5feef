import Billing
import Foundation
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Reconciliation with a store that is heard badly") struct SpoiledReconciliationTests {
    @Test(
        "a page that cannot be read is read again the next time; the subscriptions are asked about all the same",
        arguments: SpoiledConfirmationTests.answers
    )
    func pages(answer: FieldAnswer) async throws {
        let lives = SimulatedSubscribers(seed: 5, customers: 20, months: 3, endingAt: TestOffice.start)
        let all = lives.notifications().filter { $0.environment == .production }
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        let beginnings = all.filter { $0.type == "SUBSCRIBED" && $0.subtype == "INITIAL_BUY" }
        try await ConnectedOffice.run { office in
            office.store.record(all, as: .lost)
            try await office.receive(try beginnings.map(signer.sign))
            office.store.fail(SimulatedFault(.field(answer), onPath: "notifications/history", times: 1_000))
            let failed = try #require(try await office.reconcile(days: 100))
            #expect(failed.problem != nil)
            #expect(failed.readTo == failed.readFrom)
            #expect(failed.counts.checked > 0)
            office.store.mend()
            let mended = try #require(try await office.reconcile(days: 100))
            #expect(mended.problem == nil)
            #expect(mended.counts.missed > 0)
            #expect(try await office.count("store_notifications") == all.count)
        }
    }

    @Test("one page of many that is always cut keeps back its own hours and nothing else; the next begins with them")
    func onePage() async throws {
        let lives = SimulatedSubscribers(seed: 5, customers: 40, months: 5, endingAt: TestOffice.start)
        let all = lives.notifications().filter { $0.environment == .production }
        try await ConnectedOffice.run { office in
            office.store.record(all, as: .lost)
            let odd = all[all.count / 2]
            office.store.spoil(odd.notificationUUID)
            let done = try #require(try await office.reconcile(days: 179))
            #expect(done.problem?.contains("cannot be read") == true)
            #expect(done.readFrom < done.readTo && done.readTo <= odd.signedDate)
            #expect(odd.signedDate.timeIntervalSince(done.readTo) <= 6 * 3_600)
            let near = all.count { abs($0.signedDate.timeIntervalSince(odd.signedDate)) <= 6 * 3_600 }
            #expect(try await office.count("store_notifications") >= all.count - near)
            #expect(try await office.count("store_notifications") < all.count)
            office.store.spoil(nil)
            let next = try #require(try await office.reconcile())
            #expect(next.problem == nil)
            #expect(try await office.count("store_notifications") == all.count)
        }
    }

    @Test(
        "a subscription whose status cannot be read is not noted as checked, and the others are",
        arguments: SpoiledConfirmationTests.answers
    )
    func statuses(answer: FieldAnswer) async throws {
        let lives = SimulatedSubscribers(seed: 3, customers: 60, months: 14, endingAt: TestOffice.start)
        // The last days are left out, for their notifications would settle the subscriptions' state.
        let all = lives.notifications().filter {
            $0.environment == .production && $0.signedDate < TestOffice.start.addingTimeInterval(-2 * 86_400)
        }
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        let beginnings = all.filter { $0.type == "SUBSCRIBED" && $0.subtype == "INITIAL_BUY" }
        try await ConnectedOffice.run { office in
            office.store.record(all, as: .arrived)
            try await office.receive(try beginnings.map(signer.sign))
            let due = try await office.office.database.subscriptionsToCheck(
                of: try await office.office.app(),
                at: .apple,
                in: .production,
                limit: 2_000
            )
            let odd = try #require(due.first?.originalTransactionID)
            office.store.fail(SimulatedFault(.field(answer), onPath: "subscriptions/\(odd)", times: 1_000))
            let done = try #require(try await office.reconcile(days: 1))
            #expect(done.problem?.hasPrefix(odd) == true)
            #expect(done.counts.checked == due.count - 1)
            let unchecked: Query =
                "SELECT original_transaction_id FROM subscriptions WHERE unanswered_checks = 1 AND checked_at IS NULL"
            #expect(try await office.lines(unchecked) == [odd])
            office.store.mend()
            let mended = try #require(try await office.reconcile(days: 1))
            #expect(mended.problem == nil)
            #expect(mended.counts.checked == 1)
            #expect(try await office.count("subscriptions WHERE unanswered_checks > 0") == 0)
        }
    }

    @Test("one that is never answered about is asked for less and less often, and lets the others go first")
    func backOff() async throws {
        let lives = SimulatedSubscribers(seed: 3, customers: 60, months: 14, endingAt: TestOffice.start)
        let beginnings = lives.notifications().filter {
            $0.environment == .production && $0.type == "SUBSCRIBED" && $0.subtype == "INITIAL_BUY"
        }
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        try await ConnectedOffice.run { office in
            try await office.receive(try beginnings.map(signer.sign))
            let app = try await office.office.app()
            func due() async throws -> [SubscriptionToCheck] {
                try await office.office.database.subscriptionsToCheck(
                    of: app,
                    at: .apple,
                    in: .production,
                    limit: 2_000
                )
            }
            let odd = try #require(try await due().first)
            var hours: [Int] = []
            for hour in 0..<48 {
                let list = try await due()
                if list.contains(where: { $0.id == odd.id }) {
                    hours.append(hour)
                    #expect(hour == 0 || list.last?.id == odd.id)
                    try await office.office.database.noteUnanswered(odd.id, at: office.clock.read())
                }
                office.clock.advance(by: 3_600)
            }
            #expect(hours == [0, 1, 2, 4, 8, 16, 32])
        }
    }

    @Test("a list that comes twice, and late, is taken once")
    func twice() async throws {
        let lives = SimulatedSubscribers(seed: 5, customers: 20, months: 3, endingAt: TestOffice.start)
        let all = lives.notifications().filter { $0.environment == .production }
        try await ConnectedOffice.run { office in
            office.store.record(all, as: .lost)
            office.store.fail(
                SimulatedFault(.late(.milliseconds(200)), onPath: "notifications/history"),
                SimulatedFault(.field(.twice), onPath: "notifications/history", times: 1_000)
            )
            let done = try #require(try await office.reconcile(days: 100))
            #expect(done.problem == nil)
            #expect(done.counts.missed == all.count)
            #expect(try await office.count("store_notifications") == all.count)
        }
    }
}
