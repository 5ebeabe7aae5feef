import Billing
import Operations
import Storage

extension ActionPage {
    /// A note that could not be written, with what was typed.
    init(
        refusedNote text: String,
        id: CustomerNote.ID,
        about customer: Customer.ID,
        _ error: OperationsError,
        _ viewer: Viewer
    ) {
        let words = viewer.words
        let here = DashboardPath.customer(customer)
        self.init(
            frame: DashboardFrame(viewer, section: .customers, path: here),
            title: String(words.customersNewNote),
            back: Link(text: String(words.partsCustomer), href: here),
            fields: [
                FormField(
                    "text",
                    String(words.customersTheNote),
                    value: text,
                    .area,
                    problem: FormField.problems(in: error, words)["text"]
                )
            ],
            hidden: [Hidden(name: "id", value: id.description)],
            method: .post,
            action: here + "/notes",
            submit: String(words.customersAddNote),
            keep: Link(text: String(words.accessKeep), href: here)
        )
    }
}
