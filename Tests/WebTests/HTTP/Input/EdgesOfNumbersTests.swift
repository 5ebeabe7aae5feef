import Billing
import HTTPTypes
import RouterTesting
import Testing

@testable import Desk
@testable import Storage

@Suite("The edges of numbers and dates") struct EdgesOfNumbersTests {
    private let nothing: @Sendable (TestSite) async throws -> Void = { _ in }
    private static let edges = [
        "-9223372036854775808", "9223372036854775807", "9223372036854775808", "2147483648", "-2147483649", "0", "-1",
        "1e308",
    ]

    @Test("in the addresses that once ended the server they are answered", arguments: edges)
    func addresses(_ edge: String) async throws {
        try await DashboardTests.signedIn(.admin) { site, browser async throws in
            try await site.addBulkJob()
            for path in [
                "/dashboard/cohorts/rows?metric=retention&paid_period=\(edge)",
                "/dashboard/cohorts/rows?metric=conversion&within=\(edge)",
                "/dashboard/bulk/\(TestSite.bulkJobID)?after=\(edge)",
                "/dashboard/subscriptions?renews=\(edge)",
            ] {
                #expect(try await browser.get(path).status == .ok, "\(path)")
            }
        }
    }

    @Test(
        "a day centuries away is refused on every page, and the page says which field and why",
        arguments: [
            "/dashboard/revenue", "/dashboard/subscribers", "/dashboard/subscribers/rows", "/dashboard/cohorts",
            "/dashboard/access", "/dashboard/usage", "/dashboard/ledger", "/dashboard/customers", "/dashboard/audit",
            "/dashboard/exports/ledger", "/dashboard/exports/access-changes", "/dashboard/exports/monthly-revenue",
            "/dashboard/exports/customers", "/dashboard/revenue/table.csv", "/dashboard/usage/table.csv",
        ]
    )
    func pages(_ path: String) async throws {
        try await DashboardTests.signedIn(.admin) { _, browser async throws in
            let late = try await browser.get("\(path)?from=2026-01-01&to=9999-12-31")
            #expect(late.status == .unprocessableContent)
            #expect(late.text.contains("To: Must be 2999-12-31 or less."))
            let early = try await browser.get("\(path)?from=0001-01-01", headers: [.acceptLanguage: "tr"])
            #expect(early.status == .unprocessableContent)
            #expect(early.text.contains("1970-01-01"))
            // A text that is no day is ignored, which a page says; a file has no place to say it.
            let isFile = path.contains("/exports/") || path.hasSuffix(".csv")
            let vague = try await browser.get("\(path)?from=yesterday&to=")
            #expect(vague.status == (isFile ? .unprocessableContent : .ok))
            #expect(isFile || vague.text.contains("The filter “from” has no value “yesterday”"))
        }
    }

    @Test(
        "a day centuries away is refused by every metric for programs",
        arguments: ["0001-01-01", "9999-12-31", "3000-01-01"]
    )
    func programs(_ day: String) async throws {
        try await Programs.run(nothing) { _, programs in
            for path in ["metrics/revenue", "metrics/mrr", "metrics/retention", "metrics/access", "customers", "audit"]
            {
                for field in ["from", "to"] {
                    let answer = try await programs.get("/admin/\(path)?\(field)=\(day)")
                    #expect(answer.status == .unprocessableContent, "\(path) \(field)")
                    #expect(try answer.fields() == [field])
                    #expect(answer.text.contains("1970-01-01 to 2999-12-31"))
                }
            }
        }
    }

    @Test(
        "a page marker that is not ours is refused by the files of lists, too",
        arguments: ["orders", "customers", "subscriptions", "ledger"]
    )
    func markers(_ list: String) async throws {
        try await DashboardTests.signedIn(.admin) { _, browser async throws in
            #expect(try await browser.get("/dashboard/exports/\(list)?after=nowhere").status == .badRequest)
        }
    }

    @Test("revenue that does not fit is shown as the most there is, and twelve times as much as no more")
    func revenue() throws {
        let month = ReportingPeriod(.month, containing: try #require(BusinessDay("2026-11-01")))
        var asked = RevenueView()
        (asked.from, asked.to) = (month.first, month.last)
        let numbers = SubscriberMetrics(
            span: RevenueSpan(asked, today: month.first),
            currency: Sample.currency("CNY"),
            isConverted: true,
            recurring: [
                RecurringRevenue(period: month, currency: Sample.currency("CNY"), movement: Movement(start: .max))
            ],
            subscribers: [],
            trials: []
        )
        let charts = SubscriberCharts(metrics: numbers, view: SubscribersView(), viewer: Sample.viewer)
        _ = charts.recurringRevenue
        _ = charts.movements
    }
}
