import Foundation
import Synchronization

/// The number of rows of a list: exact up to 10,000.
package enum RowCount: Hashable, Sendable {
    case exact(Int)
    /// More than 10,000.
    case moreThanCounted

    package static let limit = 10_000
}

/// Remembers for a minute which lists have more rows than are counted, so that paging does not count them again.
package final class CappedCounts: Sendable {
    private let expiries = Mutex<[CountedList: Date]>([:])

    package init() {}

    func isLong(_ list: CountedList, at now: Date) -> Bool {
        expiries.withLock { ($0[list] ?? .distantPast) > now }
    }

    func rememberLong(_ list: CountedList, at now: Date) {
        expiries.withLock { expiries in
            if expiries.count >= Self.capacity { expiries = expiries.filter { $0.value > now } }
            guard expiries.count < Self.capacity else { return }
            expiries[list] = now.addingTimeInterval(Self.lifetime)
        }
    }

    private static let lifetime: TimeInterval = 60
    private static let capacity = 1_000
}
