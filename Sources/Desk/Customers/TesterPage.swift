import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// Asks whether a customer becomes a tester, or is one no longer: `/dashboard/customers/{id}/tester`.
    init(
        testerOf details: CustomerDetails,
        key: String,
        typed: TypedFields = [:],
        problems: [String: String] = [:],
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let (customer, strings) = (details.customer, viewer.strings)
        let isTester = details.testerSince != nil
        let back = DashboardPath.customer(customer.id, from: from)
        let action = DashboardPath.customer(customer.id) + "/tester"
        let states = [strings.customersNoTester.description, strings.customersTester.description]
        self.init(
            frame: DashboardFrame(viewer, section: .customers, path: action, now: now),
            title: (isTester ? strings.customersTesterUnmarkTitle : strings.customersTesterMarkTitle).description,
            subtitle: PersonText(customer, viewer).name,
            back: Link(text: strings.partsCustomer.description, href: back),
            changes: [
                Change(
                    what: strings.customersTesterSandbox.description,
                    before: states[isTester ? 1 : 0],
                    after: states[isTester ? 0 : 1]
                )
            ],
            facts: Self.consequences(
                undo: isTester ? strings.customersTesterUnmarkUndo : strings.customersTesterMarkUndo,
                notified: strings.customersTesterTold,
                strings
            ),
            factsTitle: strings.customersTester.description,
            paragraphs: [strings.customersTesterWhy.description],
            fields: FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, strings),
            hidden: [.newKey(key), Hidden(name: "tester", value: isTester ? "no" : "yes")],
            method: .post,
            action: action,
            submit: (isTester ? strings.customersTesterUnmarkSubmit : strings.customersTesterMarkSubmit).description,
            keep: Link(text: strings.accessKeep.description, href: back),
            from: from
        )
    }
}
