import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Reconciliation with Apple") struct ReconcileTests {
    @Test(
        "notifications dropped, doubled and shuffled, then one reconciliation: all is as if each had come once and in order",
        .timeLimit(.minutes(20))
    )
    func mends() async throws {
        let lives = SimulatedSubscribers(
            seed: 19,
            customers: TestScale.rounds(10_000, sampled: 500),
            months: 5,
            endingAt: TestOffice.start
        )
        let all = lives.notifications()
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        // The store's time runs while the office's stands still; an hour later, what it signs during a long sync is not in the
        // future.
        let now = TestOffice.start.addingTimeInterval(3_600)
        let undisturbed = try await ConnectedOffice.run { office in
            office.clock.set(now)
            try await office.receive(try all.map(signer.sign))
            return try await office.books()
        }
        var random = SeededGenerator(seed: 19)
        // Apple keeps the sandbox's history for thirty days.
        let arriving = all.filter { notification in
            let isForgotten =
                notification.environment == .sandbox
                && notification.signedDate < TestOffice.start.addingTimeInterval(-29 * 86_400)
            return Int.random(in: 0..<10, using: &random) >= 3 || isForgotten
        }
        let doubled = arriving.filter { _ in Int.random(in: 0..<10, using: &random) < 3 }
        let disturbed = (arriving + doubled).shuffled(using: &random)
        try await ConnectedOffice.run { office in
            office.clock.set(now)
            office.store.record(all, as: .arrived)
            try await office.receive(try disturbed.map(signer.sign))
            #expect(try await office.books() != undisturbed)

            let done = try #require(try await office.reconcile(days: 180))
            let sandbox = try #require(try await office.reconcile(in: .sandbox, days: 30))

            #expect(done.problem == nil)
            #expect(sandbox.problem == nil)
            let production = all.filter { $0.environment == .production }.count
            #expect(done.counts.read == production)
            #expect(done.counts.missed + sandbox.counts.missed == all.count - arriving.count)
            let mended = try await office.books()
            #expect(mended.subtracting(undisturbed).sorted().prefix(5) == [])
            #expect(undisturbed.subtracting(mended).sorted().prefix(5) == [])
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])

            let again = try #require(try await office.reconcile())
            #expect((again.counts.missed, again.counts.corrected) == (0, 0))
            #expect(again.readFrom == done.readTo.addingTimeInterval(-6 * 3_600))
        }
    }

    @Test("what Apple no longer tells of is asked for: the charges, and where the subscription stands")
    func asks() async throws {
        let lives = SimulatedSubscribers(seed: 3, customers: 60, months: 14, endingAt: TestOffice.start)
        let all = lives.notifications().filter { $0.environment == .production }
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        let beginnings = all.filter { $0.type == "SUBSCRIBED" && $0.subtype == "INITIAL_BUY" }
        try await ConnectedOffice.run { office in
            office.store.record(all, as: .arrived)
            // Only the beginnings arrived, and what came after them is older than Apple remembers.
            try await office.receive(try beginnings.map(signer.sign))
            let charged = Set(all.compactMap { $0.transaction?.id }).count
            let before = try await office.count("orders")
            #expect(before < charged)

            let done = try #require(try await office.reconcile(days: 1))

            #expect(done.problem == nil)
            #expect(done.counts.checked > 0)
            #expect(done.counts.corrected > 0)
            let listed = try await office.corrections(of: done)
            #expect(listed.count == done.counts.corrected)
            // No subscription that the store calls expired is active here any more.
            let running = try await office.lines(
                """
                SELECT original_transaction_id
                FROM subscriptions
                WHERE state IN ('trial', 'active', 'cancelled') AND renews_automatically AND period_ends_at < now()
                    AND environment = 'production' AND updated_at < created_at
                """
            )
            #expect(running == [])
            #expect(try await office.count("orders") > before)
            #expect(
                try await office.lines(
                    "SELECT DISTINCT kind FROM subscription_events WHERE reconciliation_id IS NOT NULL"
                ) == ["observed"]
            )
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])

            let events = try await office.count("subscription_events")
            office.clock.advance(by: 86_400)
            office.store.clock.advance(by: 86_400)
            let again = try #require(try await office.reconcile(days: 1))
            #expect(again.counts.corrected == 0)
            #expect(try await office.count("subscription_events") == events)
        }
    }

    @Test("while Apple is away nothing is lost: it is said, and the next time reads from where the last one ended")
    func away() async throws {
        let lives = SimulatedSubscribers(seed: 5, customers: 20, months: 3, endingAt: TestOffice.start)
        let all = lives.notifications().filter { $0.environment == .production }
        try await ConnectedOffice.run { office in
            let first = try #require(try await office.reconcile())
            office.store.record(all, as: .lost)
            await office.store.stop()
            office.clock.advance(by: 3_600)
            office.store.clock.advance(by: 3_600)
            let failed = try #require(try await office.reconcile())
            #expect(failed.problem == "The App Store Server API did not answer.")
            #expect(failed.counts == Reconciliation.Counts())
            #expect(failed.finishedAt != nil)
            #expect(failed.readTo == failed.readFrom)

            try await office.store.start(port: office.store.port)
            let next = try #require(try await office.reconcile())
            #expect(next.problem == nil)
            #expect(next.readFrom == first.readTo.addingTimeInterval(-6 * 3_600))
            let whole = try #require(try await office.reconcile(days: 180))
            #expect(whole.counts.undelivered == all.count)
            #expect(try await office.count("store_notifications") == all.count)
        }
    }

    @Test("a key that Apple does not take is said, by name")
    func refusedKey() async throws {
        try await ConnectedOffice.run { office in
            office.store.setReleased(false)
            let done = try #require(try await office.reconcile())
            #expect(done.problem?.hasPrefix("The App Store Server API does not accept the key") == true)
        }
    }

    @Test("what is not of this app, or not Apple's, is counted as rejected and kept nowhere")
    func rejected() async throws {
        try await ConnectedOffice.run { office in
            let stranger = SimulatedSubscribers(seed: 8, customers: 1, months: 1, endingAt: TestOffice.start)
            var notification = try #require(stranger.notifications().first { $0.environment == .production })
            notification.bundleID = "com.example.elsewhere"
            office.store.record([notification], as: .arrived)
            let done = try #require(try await office.reconcile(days: 60))
            #expect((done.counts.read, done.counts.rejected) == (1, 1))
            #expect(done.problem != nil)
            #expect(try await office.count("store_notifications") == 0)
            // A notification that can never be accepted does not stop the next reconciliation.
            let next = try #require(try await office.reconcile())
            #expect(next.readFrom == done.readTo.addingTimeInterval(-6 * 3_600))
        }
    }

    @Test("each app that has a key is asked once an hour, whichever server looks; one without a key never")
    func hourly() async throws {
        let withoutKey = try await TestOffice.run { try await $0.backOffice.scheduleReconciliations() }
        #expect(withoutKey == 0)
        try await ConnectedOffice.run { office in
            #expect(try await office.backOffice.scheduleReconciliations() == 1)
            #expect(try await office.backOffice.scheduleReconciliations() == 1)
            #expect(try await office.count("jobs") == 1)
            _ = try await JobWorker(backOffice: office.backOffice).drain()
            let environments = "SELECT environment FROM reconciliations ORDER BY environment"
            #expect(try await office.lines(Query(unsafe: environments)) == ["production", "sandbox"])
            #expect(try await office.backOffice.scheduleReconciliations() == 0)
            office.clock.advance(by: 3_600)
            #expect(try await office.backOffice.scheduleReconciliations() == 1)
        }
    }

    @Test(
        "a key that is not whole is refused with the catalogue, by its field; the private key is nowhere in the clear"
    )
    func keys() async throws {
        try await ConnectedOffice.run { office in
            for name in [AppleSetting.issuerID, AppleSetting.keyID] {
                var broken = try office.catalog()
                broken.accounts[.apple]?.settings[name] = nil
                let catalog = broken
                let error = await #expect(throws: OperationsError.self) {
                    _ = try await office.backOffice.applyCatalog(catalog)
                }
                #expect(error?.field == "apple.api.\(name)")
            }
            for pem in ["", "-----BEGIN PRIVATE KEY-----\nno\n-----END PRIVATE KEY-----", "\u{1F511}"] {
                var broken = try office.catalog()
                broken.accounts[.apple]?.secrets[AppleSetting.privateKey] = Secret(pem)
                let catalog = broken
                let error = await #expect(throws: OperationsError.self) {
                    _ = try await office.backOffice.applyCatalog(catalog)
                }
                #expect(error?.field == "apple.api.privateKey")
                #expect(error.map { "\($0)".contains("no\n") } == false)
            }
            let rows = try await office.lines("SELECT a::text FROM store_accounts a")
            #expect(rows.allSatisfy { !$0.contains("PRIVATE KEY") })
            let again = try await office.backOffice.applyCatalog(try office.catalog())
            #expect(again.changes == [])
        }
    }
}
