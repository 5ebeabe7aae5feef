package import Billing
package import Storage

/// Asks whether to withdraw a note: `/dashboard/customers/{id}/notes/{note}/withdraw`.
package struct NoteWithdrawalPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let backHref: String
    let action: String
    let csrfToken: String
    let text: String
    let written: DateText

    package init(note: CustomerNote, customer: Customer.ID, viewer: Viewer) {
        let here = DashboardPath.customer(customer)
        action = "\(here)/notes/\(note.id)/withdraw"
        frame = DashboardFrame(viewer, section: .customers, path: action)
        backHref = here
        csrfToken = viewer.csrfToken
        text = note.text.shown(to: viewer) ?? ""
        written = DateText(note.createdAt, in: viewer.zone, viewer.strings)
    }
}
