import API
import APITypes
import Desk
import HTTP
import HTTPTypes
import Operations
import Storage

extension RouteBuilder {
    /// Customers, what they have, and what staff did.
    func addAdminDesk(_ controllers: AdminDeskControllers) {
        let (subscriptions, customers, audit) = (controllers.subscriptions, controllers.customers, controllers.audit)
        let held = Paths.subscriptions(ofCustomer: "{customer}")
        token(
            .get,
            Paths.subscriptions,
            needs: .viewSubscriptions,
            AdminSubscriptionsController.list,
            use: subscriptions.index
        )
        token(.get, held, needs: .viewSubscriptions, AdminSubscriptionsController.access, use: subscriptions.show)
        for action in AccessAction.allCases {
            token(
                .post,
                "\(held)/\(action.step)",
                needs: action.permission,
                action.operation,
                use: subscriptions.step(action)
            )
        }
        token(
            .post,
            Paths.purchases,
            needs: .verifyPurchases,
            AdminPurchasesController.verify,
            use: controllers.purchases.create
        )
        token(
            .get,
            Paths.purchaseVerification("{id}"),
            needs: .viewSubscriptions,
            AdminPurchasesController.one,
            use: controllers.purchases.show
        )
        let notes = Paths.notes(aboutCustomer: "{id}")
        token(.get, Paths.customers, needs: .viewCustomers, AdminCustomersController.list, use: customers.index)
        token(.get, Paths.customer("{id}"), needs: .viewCustomers, AdminCustomersController.one, use: customers.show)
        token(
            .get,
            Paths.timeline(ofCustomer: "{id}"),
            needs: .viewCustomers,
            AdminCustomersController.history,
            use: customers.timeline
        )
        token(.get, notes, needs: .viewPersonalData, AdminCustomersController.noteList, use: customers.notes)
        token(.post, notes, needs: .writeNotes, AdminCustomersController.newNote, use: customers.addNote)
        token(
            .delete,
            Paths.note("{note}", aboutCustomer: "{id}"),
            needs: .writeNotes,
            AdminCustomersController.withdrawal,
            use: customers.withdrawNote
        )
        token(
            .put,
            Paths.consent(ofCustomer: "{id}"),
            needs: .recordConsent,
            AdminCustomersController.consent,
            use: customers.recordConsent
        )
        token(
            .put,
            Paths.tester("{id}"),
            needs: .changeAccess,
            AdminCustomersController.tester,
            use: customers.markTester
        )
        token(
            .get,
            Paths.nearLimits,
            needs: .viewCustomers,
            AdminUsageController.nearLimits,
            use: controllers.usage.nearLimits
        )
        let usage = Paths.usage(ofCustomer: "{id}")
        token(.get, usage, needs: .viewCustomers, AdminUsageController.report, use: controllers.usage.show)
        for action in UsageAction.allCases {
            token(
                .post,
                "\(usage)/\(action.step)",
                needs: .giveAccess,
                action.operation,
                use: controllers.usage.step(action)
            )
        }
        token(.get, Paths.audit, needs: .viewAudit, AdminAuditController.list, use: audit.index)
        token(.get, Paths.auditEntry("{id}"), needs: .viewAudit, AdminAuditController.one, use: audit.show)
    }
}
