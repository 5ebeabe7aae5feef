import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Store cases that lapse unless somebody acts") struct LapsingCaseTests {
    @Test("a case without consent counts as lapsing before and after its approval, until consent is recorded")
    func consent() async throws {
        try await AskedOffice.run(.deadline) { desk in
            try await desk.ask()
            #expect(try await desk.cases() == "1 waits, 1 lapses")
            let due = TestOffice.start.addingTimeInterval(12 * 3_600)
            #expect(try await desk.prospect() == .blocked(.noConsent, until: due))
            try await desk.approve()
            try await desk.work()
            #expect(try await desk.prospect() == .blocked(.noConsent, until: due))
            #expect(try await desk.cases() == "0 wait, 1 lapses")
            try await desk.consent()
            #expect(try await desk.prospect() == .sending)
            #expect(try await desk.cases() == "0 wait, 0 lapse")
            try await desk.work()
            #expect(desk.told().count == 1)
            guard case .sent = try await desk.prospect() else {
                Issue.record("The answer was sent, and the page says otherwise.")
                return
            }
            #expect(try await desk.cases() == "0 wait, 0 lapse")
        }
    }

    @Test("a case that nobody decides and no rule applies to counts as lapsing, and after the deadline as lapsed")
    func noRule() async throws {
        try await AskedOffice.run(.deadline, rules: []) { desk in
            try await desk.consent()
            try await desk.ask()
            #expect(try await desk.cases() == "1 waits, 1 lapses")
            desk.clock.advance(by: 13 * 3_600)
            #expect(try await desk.cases() == "0 wait, 0 lapse")
            #expect(try await desk.prospect() == .lapsed(.noRule))
        }
    }

    @Test("a case that the rules answer in time lapses not, and its page says when")
    func byRules() async throws {
        try await AskedOffice.run(.deadline) { desk in
            try await desk.consent()
            try await desk.ask()
            #expect(try await desk.cases() == "1 waits, 0 lapse")
            let moment = TestOffice.start.addingTimeInterval(11.5 * 3_600)
            #expect(try await desk.prospect() == .byRules(at: moment))
        }
    }
}

extension AskedOffice {
    func approve() async throws {
        let typed = try await connected.lines("SELECT right(number, 6) FROM orders").first
        _ = try await connected.backOffice.approveRefund(
            "RF-000001",
            app: app,
            RefundApproval(answer: .grantFull, confirmation: typed),
            reason: Reason(.other, "They bought it by mistake."),
            caller: ada
        )
    }

    /// The course of the answer as the case's page reads it.
    func prospect() async throws -> AnswerProspect? {
        let database = connected.office.database
        let app = app
        let details = try await database.readPrimary {
            try await $0.screens.refund(number: "RF-000001", app: app, seesPersonalData: true)
        }
        return details?.prospect(at: clock.read())
    }

    /// The counts of the overview.
    func cases() async throws -> String {
        let app = app
        let cases = try await connected.office.database.readPrimary { try await $0.metrics.waitingStoreCases(app: app) }
        let waiting = "\(cases.count) \(cases.count == 1 ? "waits" : "wait")"
        return "\(waiting), \(cases.lapsing) \(cases.lapsing == 1 ? "lapses" : "lapse")"
    }
}
