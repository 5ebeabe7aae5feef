import Billing
import Foundation
package import Storage

extension BackOffice {
    /// Takes in published rates, replacing what was published before for the same days. They are saved a month of days at a time, the
    /// newest first, and amounts valued a few hundred at a time, each in a transaction of its own: who writes beside it waits for none
    /// of it. Broken off, it is gone on with by importing once more, and what waits to be valued by any server.
    ///
    /// - Returns: how many were new or different.
    package func importRates(_ rates: [ExchangeRate]) async throws -> Int {
        let months = Dictionary(grouping: rates) { Month($0.day) }
        var changed = 0
        for month in months.keys.sorted(by: >) {
            let days = months[month] ?? []
            changed += try await database.write { try await $0.rates.save(days) }  // safe: counts of rows
        }
        while try await valueAmounts() {}
        return changed
    }

    /// Values some of the amounts that wait for it.
    ///
    /// - Returns: whether more may wait.
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
