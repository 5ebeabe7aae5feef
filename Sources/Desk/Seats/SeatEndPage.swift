import Billing
import Foundation
import HTTP
import Storage
import Words

extension ActionPage {
    /// Asks whether a member's seat is ended: `/dashboard/seats/{id}/end`.
    init(
        endOf seat: ListedSeat,
        key: String,
        typed: TypedFields = [:],
        problems: [String: String] = [:],
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let action = DashboardPath.endOfSeat(seat.claim.id)
        let back = from ?? DashboardPath.subscription(seat.claim.subscription)
        let member = PersonText(seat.member, viewer).name
        self.init(
            frame: DashboardFrame(viewer, section: .customers, path: action, now: now),
            title: strings.seatsEndTitle(person: member),
            subtitle: strings.seatsEndOf(person: PersonText(seat.purchaser, viewer).name),
            back: Link(
                text: BackText.name(of: back, otherwise: strings.subscriptionsTitle, strings).description,
                href: back
            ),
            changes: [
                Change(
                    what: strings.seatsSeat.description,
                    before: SeatRowText.name(of: seat.claim.state, strings),
                    after: strings.seatsEndedRemoved.description
                )
            ],
            facts: Self.consequences(undo: strings.seatsEndUndo, notified: strings.seatsEndTold, strings),
            factsTitle: strings.seatsSeat.description,
            paragraphs: [strings.seatsEndWhat.description],
            fields: FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, strings),
            hidden: [.newKey(key)],
            method: .post,
            action: action,
            submit: strings.seatsEndSubmit.description,
            keep: Link(text: strings.seatsEndKeep.description, href: back),
            from: from
        )
    }
}
