package import Billing
import Foundation

/// A row of the list of seats.
package enum SeatListRow: Sendable {
    /// One that an app claimed.
    case claim(ListedSeat)
    /// One that a store has and that nobody here claimed.
    case unknown(ListedUnknownSeat)
}

/// The filter and the page of the list of an app's seats, the newest first.
package struct SeatFilter: ListFilter, Hashable {
    package typealias Row = SeatListRow

    package var shown: Shown
    /// nil for those of all groups.
    package var group: Subscription.ID?
    package var position: PagePosition

    package init(shown: Shown = .unknown, group: Subscription.ID? = nil, position: PagePosition = .first) {
        (self.shown, self.group, self.position) = (shown, group, position)
    }

    /// Raw values appear in URLs.
    package enum Shown: String, Hashable, Sendable, CaseIterable {
        /// The store has them, and nobody here claimed them.
        case unknown
        /// The store has answered with neither a seat nor its no.
        case waiting
        /// All that apps claimed, also what has ended.
        case claimed

        package var cursor: PageCursor.Kind {
            switch self {
            case .unknown: .seatSeen
            case .waiting: .seatUnanswered
            case .claimed: .seatClaimed
            }
        }
    }

    package func cursor(at row: SeatListRow, rowsBefore: Int) -> PageCursor {
        let (date, id) =
            switch row {
            case .unknown(let seat): (seat.seat.firstSeenAt, seat.id)
            case .claim(let seat): (waitsSince(seat.claim) ?? seat.claim.requestedAt, seat.claim.id.uuid)
            }
        return PageCursor(kind: shown.cursor, date: date, id: id, rowsBefore: rowsBefore)
    }

    private func waitsSince(_ claim: SeatClaim) -> Date? { shown == .waiting ? claim.wait?.since : nil }
}
