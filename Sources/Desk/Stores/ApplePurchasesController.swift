import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about what Apple is asked about purchases, and told.
package struct ApplePurchasesController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/stores/apple/orders?order=MK…`: what was bought under an order id of Apple.
    @Sendable package func showOrder(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("order")
        let text = try call.query.single("order") ?? ""
        var outcome = AppleOrderPage.Outcome.notAsked
        if !text.isEmpty {
            do {
                outcome = .found(try await backOffice.lookUpOrder(text, of: call.app.id))
            } catch let error as OperationsError {
                switch error.code {
                case .invalid: outcome = .notAnOrder
                case .notFound where error.field != nil: outcome = .unknown
                case .notFound, .conflict, .overloaded: outcome = .failed(error.message)
                default: throw error
                }
            }
        }
        return .page(AppleOrderPage(outcome, typed: text, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/subscriptions/{id}/account-token`: asks before Apple is told whose a purchase is.
    @Sendable package func newAccountToken(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        let (details, customer) = try await subscription(call)
        let typed: TypedFields = ["appAccountToken": customer?.uuidString.lowercased() ?? ""]
        return .page(page(details, typed, nil, call))
    }

    /// `POST /dashboard/subscriptions/{id}/account-token`
    @Sendable package func createAccountToken(_ call: StaffRequest) async throws -> Response {
        let (details, _) = try await subscription(call)
        do {
            let text = (try call.form.single("appAccountToken") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            let reason: Reason
            var problems: [FieldProblem] = []
            if UUID(uuidString: text) == nil {
                problems.append(FieldProblem("appAccountToken", text.isEmpty ? .missing : .other("This is no UUID.")))
            }
            do {
                reason = try call.reason()
            } catch let error as OperationsError {
                throw OperationsError(problems: problems + error.problems)
            }
            guard let token = UUID(uuidString: text) else { throw OperationsError(problems: problems) }
            let outcome = try await backOffice.setAppAccountToken(
                token,
                of: details.row.originalTransactionID,
                in: details.row.environment,
                of: call.app.id,
                reason: reason,
                key: try call.key(for: token.uuidString, reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: call.from ?? DashboardPath.subscription(details.row.id))
        } catch let error as OperationsError
            where [.invalid, .conflict, .notFound, .overloaded].contains(error.code)
        {
            return .page(
                page(details, call.form.typed, error, call),
                status: error.code == .invalid ? .unprocessableContent : .conflict
            )
        }
    }

    private func page(
        _ details: SubscriptionDetails,
        _ typed: TypedFields,
        _ error: OperationsError?,
        _ call: StaffRequest
    ) -> ActionPage {
        ActionPage(
            settingAccountOf: details,
            once: database.newUUID().uuidString.lowercased(),
            typed: typed,
            error: error,
            from: call.from,
            viewer: call.viewer,
            now: database.now
        )
    }

    /// An Apple subscription, and the account token of its customer.
    private func subscription(_ call: StaffRequest) async throws -> (SubscriptionDetails, UUID?) {
        guard let id = Subscription.ID(try call.parameter("id")) else { throw Self.missing }
        let (app, sees) = (call.app.id, call.seesPersonalData)
        let found = try await database.read { reader -> (SubscriptionDetails, UUID?)? in
            guard
                let details = try await reader.screens.subscription(id: id, app: app, seesPersonalData: sees)
            else { return nil }
            return (details, try await reader.screens.accountToken(of: details.row.customer.id))
        }
        guard let found, found.0.row.store == .apple else { throw Self.missing }
        return found
    }

    private static var missing: WebError { WebError(.notFound, "There is no such subscription at Apple.") }
}
