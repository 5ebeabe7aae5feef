import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Google is told that a purchase was delivered") struct GoogleAcknowledgementTests {
    private static let open = "SELECT state || ' ' || coalesce(last_error, '') FROM jobs WHERE kind = 'acknowledgement'"

    private static let account = "9C2F1B7E-5A40-4A4E-8D0C-6F1F3C1F0A11"

    private func late(_ office: GoogleOffice) async throws -> Int? {
        let app = try await office.office.app()
        let queues = try await office.office.database.readPrimary { try await $0.screens.queues(of: app) }
        return queues.first { $0.name == .acknowledgements }?.late
    }

    @Test("once for each purchase, when somebody has it; a renewal needs no word") func once() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buy(
                GoogleOffice.monthly,
                account: Self.account,
                addOns: [GoogleOffice.extra]
            )
            try await office.hear()
            #expect(office.google.purchase(token)?.isAcknowledged == false)
            #expect(try await office.count("jobs WHERE kind = 'acknowledgement'") == 1)
            try await office.workOffJobs()
            #expect(office.google.purchase(token)?.isAcknowledged == true)
            #expect(try await office.lines(Query(unsafe: Self.open)) == ["completed "])
            office.days(30)
            office.google.renew(token)
            try await office.hear()
            #expect(try await office.count("jobs WHERE kind = 'acknowledgement'") == 1)
        }
    }

    @Test("also of what the app sends, of what is bought once, and of a change that waits for the period's end")
    func everyWay() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buy(GoogleOffice.monthly)
            let coins = office.google.buyOnce("coins", Money(minorUnits: 299, currency: GoogleOffice.eur))
            try await office.verify(token, for: "mei")
            try await office.verify(coins, for: "mei")
            try await office.workOffJobs()
            #expect(office.google.purchase(token)?.isAcknowledged == true)
            #expect(office.google.purchase(coins)?.isAcknowledged == true)
            // Google need not name the new token beside the orders of before.
            let next = office.google.changeLater(token, to: GoogleOffice.basic, movesOrders: false)
            try await office.hear()
            try await office.workOffJobs()
            #expect(office.google.purchase(next)?.isAcknowledged == true)
        }
    }

    @Test("not before somebody has it: it waits with its deadline, and whoever shows its token has it acknowledged")
    func nobody() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buy(GoogleOffice.monthly)
            let coins = office.google.buyOnce("coins", Money(minorUnits: 299, currency: GoogleOffice.eur))
            try await office.hear()
            try await office.workOffJobs()
            #expect(office.google.purchase(token)?.isAcknowledged == false)
            #expect(office.google.purchase(coins)?.isAcknowledged == false)
            let waiting =
                "SELECT state || ' ' || (due_at - \(office.now)::timestamptz) FROM jobs WHERE kind = 'acknowledgement'"
                as Query
            #expect(try await office.lines(waiting) == ["available 3 days", "available 3 days"])
            #expect(try await late(office) == 0)
            try await office.verify(token, for: "mei")
            try await office.workOffJobs()
            #expect(office.google.purchase(token)?.isAcknowledged == true)
            #expect(office.google.purchase(coins)?.isAcknowledged == false)
            office.days(3)
            #expect(try await late(office) == 1)
            // Google takes it back, and so nothing waits any more.
            office.google.abandonOnce(coins)
            _ = try await office.office.pool.query("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
            try await office.workOffJobs()
            #expect(try await late(office) == 0)
            #expect(office.google.purchase(coins)?.isAcknowledged == false)
        }
    }

    @Test("a trial of which Google says no total is acknowledged, too") func trial() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buy(GoogleOffice.monthly, account: Self.account, trial: 7)
            office.google.leaveOutTotal(ofOrder: office.google.purchase(token)?.orders.first ?? "")
            try await office.hear()
            try await office.workOffJobs()
            #expect(office.google.purchase(token)?.isAcknowledged == true)
        }
    }

    @Test("while Google does not answer it is told again, and is late after three days") func late() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buy(GoogleOffice.monthly, account: Self.account)
            try await office.hear()
            office.google.be(.page(503), at: "/", times: 10_000)
            try await office.workOffJobs()
            #expect(try await late(office) == 0)
            #expect(try await office.lines(Query(unsafe: Self.open)).first?.hasPrefix("available ") == true)
            office.days(3)
            #expect(try await late(office) == 1)
            office.google.mend()
            _ = try await office.office.pool.query("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
            try await office.workOffJobs()
            #expect(office.google.purchase(token)?.isAcknowledged == true)
            #expect(try await late(office) == 0)
        }
    }

    @Test("told by somebody else, and of what has ended, nothing is told") func unneeded() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buy(GoogleOffice.monthly, account: Self.account)
            try await office.hear()
            office.google.revoke(token)
            try await office.workOffJobs()
            #expect(office.google.purchase(token)?.isAcknowledged == false)
            #expect(try await office.lines(Query(unsafe: Self.open)) == ["completed "])
        }
    }
}
