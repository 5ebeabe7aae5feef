import Billing
import Crypto
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The secrets that the app's own login signs its tokens with: a new one, and the end of one.
package struct IssuerSecretsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/token-issuer/secrets`: the form for one; the way back where the app has no login of its own.
    @Sendable package func new(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        guard let connection = try await backOffice.issuerConnection(of: call.app.id) else {
            return .seeOther(DashboardPath.stores)
        }
        return .page(form(for: connection, call))
    }

    /// `POST /dashboard/token-issuer/secrets`: keeps it; it is never shown again.
    @Sendable package func create(_ call: StaffRequest) async throws -> Response {
        guard let connection = try await backOffice.issuerConnection(of: call.app.id) else {
            throw WebError(.conflict, "The app has no login of its own.")
        }
        do {
            let text = (try call.form.single("sharedSecret") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            guard !text.isEmpty else { throw OperationsError(problems: [FieldProblem("sharedSecret", .missing)]) }
            let outcome = try await backOffice.saveIssuerSecret(
                Secret(text),
                of: call.app.id,
                once: try call.key(for: Array(SHA256.hash(data: Data(text.utf8))).hexadecimal),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.stores)
        } catch let error as OperationsError where error.code == .invalid || error.code == .conflict {
            let status: HTTPResponse.Status = error.code == .conflict ? .conflict : .unprocessableContent
            return .page(form(for: connection, call, error), status: status)
        }
    }

    /// `GET /dashboard/token-issuer/secrets/{id}/removal`: asks before one goes.
    @Sendable package func newRemoval(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        return .page(removal(of: try await secret(call), call))
    }

    /// `POST /dashboard/token-issuer/secrets/{id}/removal`: the reason.
    @Sendable package func createRemoval(_ call: StaffRequest) async throws -> Response {
        let secret = try await secret(call)
        do {
            let reason = try call.reason()
            let outcome = try await backOffice.removeIssuerSecret(
                secret.id,
                of: call.app.id,
                reason: reason,
                once: try call.key(for: reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.stores)
        } catch let error as OperationsError where [.invalid, .notFound].contains(error.code) {
            let page = removal(of: secret, call, error)
            return .page(page, status: error.code == .invalid ? .unprocessableContent : .conflict)
        }
    }

    private func form(
        for connection: IssuerConnection,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) -> ActionPage {
        ActionPage(
            uploadingFor: connection,
            once: database.newUUID().uuidString.lowercased(),
            error: error,
            viewer: call.viewer,
            now: database.now
        )
    }

    private func removal(
        of secret: IssuerConnection.Upload,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) -> ActionPage {
        ActionPage(
            removing: secret,
            once: database.newUUID().uuidString.lowercased(),
            typed: call.form.typed,
            error: error,
            viewer: call.viewer,
            now: database.now
        )
    }

    /// A secret of the chosen app; one of another is not there.
    private func secret(_ call: StaffRequest) async throws -> IssuerConnection.Upload {
        let id = StoredIssuerSecret.ID(try call.parameter("id"))
        guard let id, let connection = try await backOffice.issuerConnection(of: call.app.id),
            let secret = connection.uploads.first(where: { $0.id == id })
        else { throw WebError(.notFound, "There is no such secret.") }
        return secret
    }
}
