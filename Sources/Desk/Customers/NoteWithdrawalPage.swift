package import Billing
package import HTTP
package import Storage
package import Words

/// Asks whether to withdraw a note: `/dashboard/customers/{id}/notes/{note}/withdraw`.
package struct NoteWithdrawalPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let backHref: String
    let action: String
    let csrfToken: String
    /// The page that the customer's page leads back to.
    let from: String?
    let text: String
    let written: DateText

    package init(note: CustomerNote, customer: Customer.ID, from: String?, viewer: Viewer) {
        let here = DashboardPath.customer(customer)
        action = "\(here)/notes/\(note.id)/withdraw"
        frame = DashboardFrame(viewer, section: .customers, path: action)
        backHref = DashboardPath.customer(customer, from: from)
        self.from = from
        csrfToken = viewer.csrfToken
        text = note.text.shown(to: viewer) ?? ""
        written = DateText(note.createdAt, in: viewer.zone, viewer.strings)
    }
}
