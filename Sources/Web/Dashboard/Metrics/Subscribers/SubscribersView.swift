package import Billing
package import Storage

/// What the subscribers page shows: its whole state, which is its address.
package struct SubscribersView: Hashable, Sendable {
    package var grain: ReportingPeriod.Grain = .month
    package var from: BusinessDay?
    package var to: BusinessDay?
    /// Money in this currency; nil: each in its own.
    package var reporting: Currency?
    package var filter = MetricsFilter()

    package init() {}

    /// Unknown values fall back to the defaults.
    package init(query: [(name: String, value: String)]) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        grain = value("grain").flatMap(ReportingPeriod.Grain.init(rawValue:)) ?? .month
        from = value("from").flatMap { BusinessDay($0) }
        to = value("to").flatMap { BusinessDay($0) }
        reporting = value("in").flatMap { Currency($0) }
        filter = MetricsFilter(query: query)
    }

    /// The address of this state; defaults are left out.
    package var path: String { DashboardPath.subscribers + query.text }

    /// The same numbers as a file.
    func csvPath(_ table: SubscriberTable) -> String {
        var query = query
        query.add("table", table.rawValue)
        return DashboardPath.subscribersFile + query.text
    }

    private var query: QueryText {
        var query = QueryText()
        query.add("grain", grain == .month ? nil : grain.rawValue)
        query.add("from", from?.description)
        query.add("to", to?.description)
        query.add("in", reporting?.code)
        filter.add(to: &query)
        return query
    }

    func changed(_ change: (inout SubscribersView) -> Void) -> SubscribersView {
        var copy = self
        change(&copy)
        return copy
    }

    /// The same stretch of time as the revenue page's.
    var span: RevenueView {
        var view = RevenueView()
        (view.grain, view.from, view.to) = (grain, from, to)
        return view
    }
}

/// The tables of the subscribers page. Raw values stand in addresses.
enum SubscriberTable: String, Sendable {
    case mrr
    case subscribers
    case trials
}

/// Everything that the subscribers page reads.
package struct SubscriberMetrics: Sendable {
    package var periods: [ReportingPeriod]
    package var today: BusinessDay
    package var recurring: [RecurringRevenue]
    /// One for each period.
    package var subscribers: [SubscriberCount]
    package var trials: [TrialCount]
    package var missingRates: [Currency]

    package init(
        periods: [ReportingPeriod],
        today: BusinessDay,
        recurring: [RecurringRevenue],
        subscribers: [SubscriberCount],
        trials: [TrialCount],
        missingRates: [Currency] = []
    ) {
        self.periods = periods
        self.today = today
        self.recurring = recurring
        self.subscribers = subscribers
        self.trials = trials
        self.missingRates = missingRates
    }

    /// The currency of the largest revenue first; those without any in all this time are left out.
    var currencies: [Currency] {
        var most: [Currency: Int64] = [:]
        for row in recurring {
            most[row.currency] = max(most[row.currency] ?? 0, row.movement.start, row.movement.end)
        }
        return most.filter { $0.value > 0 }.keys.sorted { (most[$1] ?? 0, $0.code) < (most[$0] ?? 0, $1.code) }
    }

    /// One for each period.
    func movements(in currency: Currency) -> [Movement] {
        recurring.filter { $0.currency == currency }.map(\.movement)
    }
}
