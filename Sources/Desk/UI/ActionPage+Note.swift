import Billing
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// A note that could not be written, with what was typed.
    init(
        refusedNote text: String,
        id: CustomerNote.ID,
        about customer: Customer.ID,
        from: String?,
        _ error: OperationsError,
        _ viewer: Viewer
    ) {
        let strings = viewer.strings
        let (here, back) = (DashboardPath.customer(customer), DashboardPath.customer(customer, from: from))
        self.init(
            frame: DashboardFrame(viewer, section: .customers, path: here),
            title: String(strings.customersNewNote),
            back: Link(text: String(strings.partsCustomer), href: back),
            fields: [
                FormField(
                    "text",
                    String(strings.customersTheNote),
                    value: text,
                    .area,
                    problem: FormField.problems(in: error, strings)["text"]
                )
            ],
            hidden: [Hidden(name: "id", value: id.description)],
            method: .post,
            action: here + "/notes",
            submit: String(strings.customersAddNote),
            keep: Link(text: String(strings.accessKeep), href: back),
            from: from
        )
    }
}
