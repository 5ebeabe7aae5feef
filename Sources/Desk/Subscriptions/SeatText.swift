import Billing
import Storage
import Words

/// The seats of a subscription, in words.
enum SeatText {
    /// "8 seats, 5 used", "3 of 8 refunded", "renews with 5 seats", "invited by the app". How many are used is known where our own claims
    /// say it.
    static func lines(of seats: SeatCounts, _ strings: Strings) -> [String] {
        var lines = [summary(of: seats, strings)]
        if seats.revoked > 0 {
            lines.append(
                strings.subscriptionsSeatsRefunded(
                    bought: strings.number(seats.bought),
                    revoked: strings.number(seats.revoked)
                ).description
            )
        }
        if let next = seats.next, next != seats.left {
            lines.append(strings.subscriptionsSeatsNext(count: next).description)
        }
        switch seats.invitations {
        case .store: lines.append(strings.subscriptionsSeatsByStore.description)
        case .app: lines.append(strings.subscriptionsSeatsByApp.description)
        case nil: break
        }
        return lines
    }

    /// "8 seats, 5 used"
    static func summary(of seats: SeatCounts, _ strings: Strings) -> String {
        let count = strings.subscriptionsSeatCount(count: seats.bought).description
        guard seats.invitations == .app else { return count }
        return strings.subscriptionsSeatsUsed(seats: count, used: strings.number(seats.claimed)).description
    }
}
