import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

extension CustomersController {
    /// `GET /dashboard/customers/{id}/tester`
    @Sendable package func askForTester(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        return .page(try await testerPage(try customer(call), call))
    }

    /// `POST /dashboard/customers/{id}/tester`: `tester`, and why.
    @Sendable package func markTester(_ call: StaffRequest) async throws -> Response {
        let id = try customer(call)
        do {
            let isTester = try Self.isTester(call.form)
            let reason = try call.reason()
            let outcome = try await backOffice.mark(
                asTester: isTester,
                id,
                of: call.app.id,
                reason: reason,
                key: try call.key(for: "\(id)\n\(isTester)\n\(reason.forAudit)"),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.customer(id, from: call.from))
        } catch let error as OperationsError where error.code == .invalid {
            return .page(try await testerPage(id, call, error), status: .unprocessableContent)
        }
    }

    private static func isTester(_ form: URLEncoded) throws -> Bool {
        switch try form.single("tester") {
        case "yes": return true
        case "no": return false
        default: throw OperationsError(problems: [FieldProblem("tester", .unknownChoice)])
        }
    }

    private func testerPage(
        _ id: Customer.ID,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) async throws -> ActionPage {
        let details = try await backOffice.database.readPrimary {
            try await $0.screens.customer(id: id, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        guard let details else { throw Self.missing }
        return ActionPage(
            testerOf: details,
            key: backOffice.database.newUUID().uuidString.lowercased(),
            typed: call.form.typed,
            problems: error.map { FormField.problems(in: $0, call.viewer.strings) } ?? [:],
            from: call.from,
            viewer: call.viewer,
            now: backOffice.database.now
        )
    }
}
