import Billing
import Foundation
package import Storage

extension BackOffice {
    /// Imports published rates, replacing those published before for the same days. They are saved a month of days at a time, the newest
    /// first; months are converted one at a time, and amounts valued a few hundred at a time, each in a transaction of its own: concurrent
    /// writers wait for none of it. After an interruption, another import continues it, and any server does what waits.
    ///
    /// - Parameter caller: named by the audit log, in the transaction of the first rate that changes; nil for a program whose own entry tells
    ///   of it.
    /// - Returns: the number of new or changed rates.
    package func importRates(_ rates: [ExchangeRate], caller: Caller? = nil) async throws -> Int {
        let months = Dictionary(grouping: rates) { Month($0.day) }
        var changed = 0
        for month in months.keys.sorted(by: >) {
            let days = months[month] ?? []
            let isFirst = changed == 0
            changed += try await database.write { transaction in  // safe: counts of rows
                let before = isFirst ? try await transaction.rates.days() : nil
                let saved = try await transaction.rates.save(days)
                if isFirst, saved > 0, let caller {
                    try await transaction.audit.append(
                        caller.entry(
                            .importRates,
                            on: "rates",
                            before: before.map { Self.record($0) },
                            after: Self.record(rates.map(\.day), count: rates.count)
                        )
                    )
                }
                return saved
            }
        }
        while try await convertMonths() {}
        while try await valueAmounts() {}
        return changed
    }

    private static func record(_ days: ClosedRange<BusinessDay>) -> String {
        AuditJSON([("firstDay", days.lowerBound.description), ("lastDay", days.upperBound.description)]).text
    }

    private static func record(_ days: [BusinessDay], count: Int) -> String {
        AuditJSON([
            ("firstDay", days.min()?.description), ("lastDay", days.max()?.description), ("rates", String(count)),
        ]).text
    }

    /// Converts the next month that waits for it, and adds up what entries wait: whoever does either leaves room for the other.
    ///
    /// - Returns: true if more may wait.
    package func convertMonths() async throws -> Bool {
        switch try await database.convertMonth() {
        case .piece:
            _ = try await database.write { try await $0.rollups.fold() }
            return true
        case .held:
            try await Task.sleep(for: .milliseconds(100))
            return true
        case .nothing: return false
        }
    }

    /// Values some of the amounts that wait for it.
    ///
    /// - Returns: true if more may wait.
    package func valueAmounts() async throws -> Bool {
        switch try await database.valueAmounts(500) {
        case .piece: return true
        case .held:
            try await Task.sleep(for: .milliseconds(100))
            return true
        case .nothing: return false
        }
    }
}

/// A month of the calendar, whose days are saved together.
private struct Month: Hashable, Comparable {
    let year: Int
    let month: Int

    init(_ day: BusinessDay) {
        (year, month) = (day.year, day.month)
    }

    static func < (left: Month, right: Month) -> Bool { (left.year, left.month) < (right.year, right.month) }
}
