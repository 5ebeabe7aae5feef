import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Trials that the app gives") struct TrialTests {
    @Test("of a thousand starts at once one trial is made, and all are answered it")
    func atOnce() async throws {
        try await Self.run { office, session in
            let ids = try await withThrowingTaskGroup(of: Grant.ID?.self) { group in
                for _ in 0..<1_000 {
                    group.addTask { try await office.backOffice.startTrial(for: session).sources.trial?.id }
                }
                return try await group.reduce(into: Set<Grant.ID?>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            #expect(try await office.count("grants WHERE kind = 'trial'") == 1)
        }
    }

    @Test("it lasts as the catalogue says, is over without a sweep, and is given once")
    func lasts() async throws {
        try await Self.run { office, session in
            let started = try await office.backOffice.startTrial(for: session)
            #expect(started.sources.entitlement(at: office.clock.read())?.state == .trial)
            #expect(started.sources.trial?.endsAt == TestOffice.start.addingTimeInterval(7 * 86_400))
            office.clock.advance(by: 7 * 86_400)
            let over = try await office.backOffice.trial(for: session)
            #expect(over.sources.entitlement(at: office.clock.read()) == nil)
            #expect(over.sources.trial?.trialState(at: office.clock.read()) == .trialExpired)
            #expect(over.refusal == .trialUsed)
            #expect(try await office.backOffice.sweepExpiries().grants == 1)
            #expect(try await office.backOffice.sweepExpiries().grants == 0)
            await #expect(throws: OperationsError.self) { try await office.backOffice.startTrial(for: session) }
        }
    }

    @Test("who has bought, or has a subscription, gets none, by the document's rules")
    func refusals() async throws {
        try await Self.run { office, session in
            let token = UUID()
            _ = try await office.pool.query(
                "UPDATE customers SET key = \(token.uuidString.lowercased()), app_account_token = \(token) WHERE id = \(session.customer)"
            )
            #expect(try await office.backOffice.trial(for: session).refusal == nil)
            try await office.live(.told(.subscribed, on: 0, .sold("t1", from: 0, to: 400, to: token)))
            #expect(try await office.backOffice.trial(for: session).refusal == .activeSubscription)
            office.clock.set(.day(500))
            #expect(try await office.backOffice.trial(for: session).refusal == .previouslyPaid)
        }
    }

    @Test("a purchase during it converts it: the trial ends where what was bought begins")
    func converts() async throws {
        try await Self.run { office, session in
            let token = UUID()
            _ = try await office.pool.query(
                "UPDATE customers SET key = \(token.uuidString.lowercased()), app_account_token = \(token) WHERE id = \(session.customer)"
            )
            office.clock.set(.day(0))
            _ = try await office.backOffice.startTrial(for: session)
            office.clock.set(.day(3))
            try await office.live(.told(.subscribed, on: 2, .sold("t1", from: 2, to: 32, to: token)))
            let trial = try await office.backOffice.trial(for: session)
            #expect(trial.sources.trial?.convertedAt == .day(2))
            #expect(trial.sources.trial?.trialState(at: .day(3)) == .active)
            #expect(trial.sources.conversion?.originalTransactionID == "t1")
            #expect(trial.sources.entitlement(at: .day(3))?.state == .active)
            #expect(
                try await office.lines(
                    """
                    SELECT measure || ' ' || sum(count)
                    FROM rollup_entries
                    WHERE measure IN ('trial', 'trial_converted', 'trial_abandoned') AND effective_at <= \(Date.day(3))
                    GROUP BY measure
                    ORDER BY 1
                    """
                ).filter { !$0.hasSuffix(" 0") } == ["trial 1", "trial_converted 1"]
            )
        }
    }

    @Test("an app without a trial gives none")
    func withoutTrial() async throws {
        try await TestOffice.run { office in
            let session = try await UsageOffice.session("u1", office)
            #expect(try await office.backOffice.trial(for: session).refusal == .noTrial)
            await #expect(throws: OperationsError.self) { try await office.backOffice.startTrial(for: session) }
        }
    }

    @Test("a used trial is not had again by signing in on a device that began one")
    func usedBefore() async throws {
        try await Self.run { office, account in
            let used = try await office.backOffice.startTrial(for: account).sources.trial
            office.clock.advance(by: 8 * 86_400)
            let device = try await UsageOffice.session("device", office)
            _ = try await office.backOffice.startTrial(for: device)
            try await Self.merge(device, into: account, office)
            let kept = try await office.backOffice.trial(for: account)
            #expect(kept.sources.trial?.id == used?.id)
            #expect(kept.sources.entitlement(at: office.clock.read()) == nil)
            #expect(kept.refusal == .trialUsed)
            #expect(try await office.count("grants WHERE superseded_at IS NOT NULL AND ended_at = superseded_at") == 1)
        }
    }

    @Test("who signs in keeps the trial that runs there, and gets no day more of it")
    func runs() async throws {
        for deviceBeginsFirst in [true, false] {
            try await Self.run { office, account in
                let device = try await UsageOffice.session("device", office)
                if deviceBeginsFirst { _ = try await office.backOffice.startTrial(for: device) }
                office.clock.advance(by: 86_400)
                let own = try await office.backOffice.startTrial(for: account).sources.trial
                office.clock.advance(by: 86_400)
                if !deviceBeginsFirst { _ = try await office.backOffice.startTrial(for: device) }
                try await Self.merge(device, into: account, office)
                let kept = try await office.backOffice.trial(for: account).sources.trial
                #expect(kept?.id == own?.id)
                #expect(kept?.endsAt == own?.endsAt)
                #expect(try await office.count("grants WHERE superseded_at IS NOT NULL") == 1)
            }
        }
    }

    @Test("an account without a trial goes on with its device's")
    func brought() async throws {
        try await Self.run { office, account in
            let device = try await UsageOffice.session("device", office)
            let begun = try await office.backOffice.startTrial(for: device).sources.trial
            try await Self.merge(device, into: account, office)
            let kept = try await office.backOffice.trial(for: account).sources.trial
            #expect(kept?.id == begun?.id)
            #expect(kept?.endsAt == begun?.endsAt)
        }
    }

    private static func merge(
        _ device: CustomerSession,
        into account: CustomerSession,
        _ office: TestOffice
    ) async throws {
        let app = try await office.app()
        try await office.database.write {
            try await $0.customers.merge(device.customer, into: account.customer, of: app)
        }
    }

    /// Runs a test with an office whose app gives seven days of PRO.
    private static func run(_ body: (TestOffice, CustomerSession) async throws -> Void) async throws {
        try await TestOffice.run { office in
            var catalog = try Catalog.readmigo()
            catalog.trial = TrialOffer(
                plan: "PRO",
                period: BillingPeriod(7, .day),
                products: ["com.readmigo.pro.yearly"]
            )
            #expect(
                try await office.backOffice.applyCatalog(catalog).changes == ["added a trial of PRO for P7D"]
            )
            try await body(office, try await UsageOffice.session("u1", office))
        }
    }
}
