import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// A member's seat of a group, as the pages of both show it.
struct SeatRowText: Sendable {
    /// The member on the purchaser's page, the purchaser on the member's.
    var person: PersonText
    var personHref: String
    /// On the member's page: "Pro monthly".
    var product: String
    var productHref: String
    /// "has the seat", "waits for the store's answer", "ended: renewed with fewer seats"
    var state: String
    var isOpen: Bool
    /// The person or program that claimed it, in words.
    var claimedBy: String
    var claimed: DateText
    /// The store's words where it gave none, and where it has not answered for an hour.
    var refusal: String?
    /// The address that ends it; nil where it has ended, and for those who may not.
    var endHref: String?

    /// - Parameter member: whether the page is the member's.
    init(_ seat: ListedSeat, ofMember member: Bool, from: String, _ viewer: Viewer, now: Date) {
        let strings = viewer.strings
        let other = member ? seat.purchaser : seat.member
        person = PersonText(other, viewer)
        personHref = DashboardPath.customer(other.id, from: from)
        product = seat.productName
        productHref = DashboardPath.subscription(seat.claim.subscription, from: from)
        state = Self.name(of: seat.claim.state, strings)
        isOpen = seat.claim.isOpen
        claimedBy = seat.claim.requestedBy
        claimed = DateText(seat.claim.requestedAt, in: viewer.zone, strings)
        if case .ended(_, _, let known?) = seat.claim.state { refusal = known.message }
        if let wait = seat.claim.wait, wait.isLong(at: now) {
            state = strings.seatsUnanswered(state: state, when: DateText.day(wait.since, in: viewer.zone, strings))
            refusal = wait.words
        }
        endHref =
            isOpen && viewer.may(.giveAccess)
            ? DashboardPath.endOfSeat(seat.claim.id) + DashboardPath.suffix(from: from) : nil
    }

    static func name(of state: SeatClaim.State, _ strings: Strings) -> String {
        switch state {
        case .asked: strings.seatsAsked.description
        case .held: strings.seatsHeld.description
        case .ended(_, let ending, _): name(of: ending, strings).description
        }
    }

    private static func name(of ending: SeatClaim.Ending, _ strings: Strings) -> StaticString {
        switch ending {
        case .left: strings.seatsEndedLeft
        case .removed: strings.seatsEndedRemoved
        case .unclaimed: strings.seatsEndedUnclaimed
        case .missing: strings.seatsEndedMissing
        case .refused: strings.seatsEndedRefused
        case .noSeats: strings.seatsEndedNoSeats
        case .surplus: strings.seatsEndedSurplus
        case .merged: strings.seatsEndedMerged
        case .deleted: strings.seatsEndedDeleted
        }
    }
}
