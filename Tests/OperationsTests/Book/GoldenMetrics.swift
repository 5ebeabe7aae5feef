import Billing
import Foundation
import Storage

/// All metrics of an app, a line for each month in which something happened.
struct GoldenMetrics {
    private var lines: [ReportingPeriod: [String]] = [:]

    init(
        _ revenue: [RevenueCell],
        _ recurring: [RecurringRevenue],
        _ subscribers: [SubscriberCount],
        _ trials: [TrialCount]
    ) {
        for cell in revenue {
            let money = Self.money(in: cell.currency)
            add(to: cell.period, "gross", money(cell.revenue.gross), if: cell.revenue.gross != 0)
            add(to: cell.period, "refunds", money(cell.revenue.refunds), if: cell.revenue.refunds != 0)
            add(
                to: cell.period,
                "refunds of charges",
                money(cell.revenue.refundsOfCharges),
                if: cell.revenue.refundsOfCharges != 0
            )
            add(
                to: cell.period,
                "credits",
                money(cell.revenue.upgradeCredits),
                if: cell.revenue.upgradeCredits != 0
            )
            add(to: cell.period, "net", money(cell.revenue.net), if: cell.revenue.net != 0)
            add(to: cell.period, "proceeds", money(cell.revenue.proceeds), if: cell.revenue.proceeds != 0)
        }
        for month in recurring where !month.movement.changes.allSatisfy({ $0.value == 0 }) {
            let money = Self.money(in: month.currency)
            add(to: month.period, "MRR", "\(money(month.movement.end))\(Self.changes(of: month.movement, as: money))")
        }
        for month in subscribers where !month.movement.changes.allSatisfy({ $0.value == 0 }) || month.lost != 0 {
            add(
                to: month.period,
                "subscribers",
                "\(month.movement.end)\(Self.changes(of: month.movement) { String($0) })"
            )
            add(to: month.period, "lost", "\(month.lost ?? 0)", if: month.lost != 0)
        }
        for month in trials where month.trials != 0 {
            add(to: month.period, "trials", "\(month.trials)")
            add(to: month.period, "converted", "\(month.converted)", if: month.converted != 0)
            add(to: month.period, "abandoned", "\(month.abandoned)", if: month.abandoned != 0)
            add(to: month.period, "pending", "\(month.pending)", if: month.pending != 0)
        }
    }

    /// The lines: "2025-01: gross 18.00 CNY, net 18.00 CNY, …"
    var text: [String] {
        lines.sorted { $0.key < $1.key }.map { period, metrics in
            "\(period.first.description.prefix(7)): \(metrics.joined(separator: ", "))"
        }
    }

    private mutating func add(to period: ReportingPeriod, _ metric: String, _ value: String, if isThere: Bool = true) {
        if isThere { lines[period, default: []].append("\(metric) \(value)") }
    }

    private static func money(in currency: Currency) -> (Int64) -> String {
        { Money(minorUnits: $0, currency: currency).description }
    }

    /// Returns " (new 18.00 CNY)", or an empty text.
    private static func changes(of movement: Movement, as text: (Int64) -> String) -> String {
        let names: [(MovementClass, String)] = [
            (.new, "new"), (.reactivation, "back"), (.expansion, "more"), (.contraction, "less"), (.churned, "ended"),
        ]
        let parts = names.filter { movement[$0.0] != 0 }.map { "\($0.1) \(text(movement[$0.0]))" }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }
}
