package import Billing
import HTTP
package import Storage

/// The state of the subscribers page, all of which is in its address.
package struct SubscribersView: Hashable, Sendable {
    package var grain: ReportingPeriod.Grain = .month
    package var from: BusinessDay?
    package var to: BusinessDay?
    package var filter = MetricsFilter()
    /// True if tables stand in place of the drawings.
    package var isTables = false

    package init() {}

    package init(_ query: inout QueryReader) {
        grain = query.choice("grain", ReportingPeriod.Grain.self) ?? .month
        from = query.day("from")
        to = query.day("to")
        filter = MetricsFilter(&query)
        isTables = query.isYes("tables")
    }

    /// The address of this state; defaults are left out.
    package var path: String {
        var query = query
        query.add("tables", isTables ? "yes" : nil)
        return DashboardPath.subscribers + query.text
    }

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
    package var span: RevenueSpan
    /// That of all amounts: the one that the page is filtered by, else the app's reporting currency.
    package var currency: Currency
    /// True if they are of all currencies, converted.
    package var isConverted: Bool
    /// One for each period.
    package var recurring: [RecurringRevenue]
    /// One for each period.
    package var subscribers: [SubscriberCount]
    package var trials: [TrialCount]
    /// Within how many days after its end a trial converts.
    package var trialConversionDays: Int
    /// The amounts that the last period's end lacks for want of a rate.
    package var unconverted: [Money]
    /// The periods that run at its end and have no price yet.
    package var unpriced: Int

    package init(
        span: RevenueSpan,
        currency: Currency,
        isConverted: Bool,
        recurring: [RecurringRevenue],
        subscribers: [SubscriberCount],
        trials: [TrialCount],
        trialConversionDays: Int = MetricDefinitions.trialConversionDays,
        unconverted: [Money] = [],
        unpriced: Int = 0
    ) {
        self.span = span
        self.currency = currency
        self.isConverted = isConverted
        self.recurring = recurring
        self.subscribers = subscribers
        self.trials = trials
        self.trialConversionDays = trialConversionDays
        self.unconverted = unconverted
        self.unpriced = unpriced
    }

    var periods: [ReportingPeriod] { span.periods }
    var today: BusinessDay { span.today }
    /// The day that is not over yet.
    var running: BusinessDay { span.running }
}
