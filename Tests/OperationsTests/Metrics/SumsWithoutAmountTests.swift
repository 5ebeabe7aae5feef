import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Every sum of money says how many orders it leaves out") struct SumsWithoutAmountTests {
    @Test(
        "revenue by the days, ARPU by the months, LTV by the customers, recurring revenue by what runs, and what a customer spent"
    )
    func everySum() async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        let month = AppleWords.sold("t1", from: 0, to: 30)
        var next = AppleWords.sold("t2", from: 30, to: 130)
        (next["price"], next["currency"]) = (.null, .null)
        try await TestOffice.run { office in
            for message in [
                AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 0, month, AppleWords.renews()),
                AppleWords.message("DID_RENEW", on: 30, next, AppleWords.renews()),
            ] {
                _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
                _ = try await office.worker.drain()
            }
            let app = try await office.app()
            let currency = try #require(Currency("CNY"))
            let today = BusinessDay(TestOffice.start, in: .gmt)
            let question = MetricsQuery(filter: MetricsFilter(), monthsFrom: today.advanced(by: -120), through: today)
            let (monthly, lifetime, recurring) = try await office.database.read { reader in
                (
                    try await reader.metrics.monthlyValue(question, in: currency, app: app),
                    try await reader.metrics.lifetimeValue(question, in: currency, app: app),
                    try await reader.metrics.recurringRevenue(question, in: currency, app: app)
                )
            }
            #expect(monthly.unpriced == 1)
            #expect(lifetime.unpriced == 1)
            #expect(recurring.unpriced == 1)
            // Before it was sold there was nothing to leave out; afterwards the customer has it still.
            let before = MetricsQuery(
                filter: MetricsFilter(),
                monthsFrom: today.advanced(by: -120),
                through: today.advanced(by: -95)
            )
            let (earlier, running) = try await office.database.read { reader in
                (
                    try await reader.metrics.lifetimeValue(before, in: currency, app: app),
                    try await reader.metrics.unpriced(before, app: app)
                )
            }
            #expect(running == 0)
            #expect(earlier.unpriced <= 1)
            let number = try #require(
                try await office.lines("SELECT number FROM orders WHERE transaction_id = 't1'").first
            )
            let ada = try await office.hire("ada", .admin)
            let request = try await office.backOffice.requestRefund(
                of: number,
                app: app,
                RefundCommand(kind: .full),
                reason: Reason(.goodwill, "It did not work."),
                caller: ada
            )
            let details = try await office.database.readPrimary { reader in
                try await reader.screens.refund(
                    number: request.result,
                    app: app,
                    for: ada.staff,
                    seesPersonalData: false
                )
            }
            let evidence = try #require(details?.evidence)
            #expect((evidence.orders, evidence.ordersWithoutAmount) == (2, 1))
            #expect(evidence.spent.map(\.decimalText) == ["18.00"])
        }
    }
}
