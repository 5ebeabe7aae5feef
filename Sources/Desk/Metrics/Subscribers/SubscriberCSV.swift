import Billing
import HTTP
import Storage

/// The numbers of the charts of subscribers as files.
struct SubscriberCSV {
    private let metrics: SubscriberMetrics
    private var text = CSVText()
    private var rows = 0

    init(_ metrics: SubscriberMetrics) {
        self.metrics = metrics
    }

    func file(of table: SubscriberTable) -> (bytes: [UInt8], rows: Int) {
        var copy = self
        switch table {
        case .mrr: copy.addRevenue()
        case .subscribers: copy.addSubscribers()
        case .trials: copy.addTrials()
        }
        return (CSVText.byteOrderMark + copy.text.bytes, copy.rows)
    }

    private static let classes: [MovementClass] = [.new, .reactivation, .expansion, .contraction, .churned, .moved]
    /// Of customers, who are counted and not more or less.
    private static let comings: [MovementClass] = [.new, .reactivation, .churned, .moved]

    private mutating func addRevenue() {
        text.heading(
            ["from", "to", "is_partial", "currency", "start"] + Self.classes.map(\.name)
                + ["end", "yearly", "without_rate", "orders_without_amount"]
        )
        for row in metrics.recurring {
            begin(row.period)
            text.plain(row.currency.code)
            let movement = row.movement
            let yearly = movement.end.times(12)
            for amount in [movement.start] + Self.classes.map({ movement[$0] }) + [movement.end, yearly] {
                text.amount(amount, digits: row.currency.digits)
            }
            text.nothing()
            text.nothing()
            end()
        }
        // Amounts of the end of the last period that have no rate, in the currency that was charged.
        for money in metrics.unconverted {
            for _ in 0..<3 { text.nothing() }
            text.text(money.currency.code.utf8)
            for _ in 0..<(3 + Self.classes.count) { text.nothing() }
            text.amount(money.minorUnits, digits: money.currency.digits)
            text.nothing()
            end()
        }
        // Orders that no row counts have a row of their own.
        guard metrics.unpriced > 0 else { return }
        for _ in 0..<(8 + Self.classes.count) { text.nothing() }
        text.amount(Int64(metrics.unpriced), digits: 0)
        end()
    }

    private mutating func addSubscribers() {
        text.heading(
            ["from", "to", "is_partial", "start"] + Self.comings.map(\.name) + ["end", "lost", "churn_rate"]
        )
        for row in metrics.subscribers {
            begin(row.period)
            let movement = row.movement
            for count in [movement.start] + Self.comings.map({ movement[$0] }) + [movement.end] {
                text.amount(count, digits: 0)
            }
            guard !row.period.isPartial(on: metrics.running) else {
                text.nothing()
                text.nothing()
                end()
                continue
            }
            if let lost = row.lost { text.amount(lost, digits: 0) } else { text.nothing() }
            if let rate = row.churnRate { text.amount(Int64(rate), digits: 2) } else { text.nothing() }
            end()
        }
    }

    private mutating func addTrials() {
        text.heading(["from", "to", "is_partial", "trials", "converted", "pending", "abandoned"])
        for row in metrics.trials {
            begin(row.period)
            for count in [row.trials, row.converted, row.pending, row.abandoned] { text.amount(count, digits: 0) }
            end()
        }
    }

    private mutating func begin(_ period: ReportingPeriod) {
        text.plain(period.first.description)
        text.plain(period.last.description)
        text.plain(period.isPartial(on: metrics.running) ? "yes" : "no")
    }

    private mutating func end() {
        text.endRow()
        rows += 1
    }
}
