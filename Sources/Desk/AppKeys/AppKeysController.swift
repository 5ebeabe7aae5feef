import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The secret keys of an app's own server: which there are, a new one, and the end of one.
package struct AppKeysController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/app-keys`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        let keys = try await backOffice.appKeys(of: call.app.id)
        return .page(AppKeyIndexPage(keys: keys, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/app-keys/new`
    @Sendable package func new(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        return .page(ActionPage(newAppKey: nil, once: newKey, viewer: call.viewer, now: database.now))
    }

    /// `POST /dashboard/app-keys`: `name`, one or several `scope`. The answer shows the key, this once; sent again, it leads
    /// to the list.
    @Sendable package func create(_ call: StaffRequest) async throws -> Response {
        let chosen = call.form.pairs.filter { $0.name == "scope" }.map(\.value)
        do {
            let typed = try call.form.single("name") ?? ""
            var problems = FieldProblems()
            let checked = try problems.read { try BackOffice.checked(appKeyName: typed) }
            let known = try problems.read { try Self.scopes(chosen) }
            guard let name = checked, let scopes = known else { throw problems.error }
            let issued = try await backOffice.issueAppKey(
                named: name,
                scopes: scopes,
                of: call.app.id,
                key: try call.key(for: name, scopes.inOrder.map(\.rawValue).joined(separator: " ")),
                caller: call.caller
            )
            guard let key = issued else { return .seeOther(DashboardPath.appKeys) }
            return .page(AppKeyShowPage(key, named: name, scopes: scopes, viewer: call.viewer))
        } catch let error as OperationsError where [.invalid, .conflict].contains(error.code) {
            let page = ActionPage(
                newAppKey: call.form["name"],
                scopes: chosen,
                once: newKey,
                error: error,
                viewer: call.viewer,
                now: database.now
            )
            return .page(page, status: error.code == .invalid ? .unprocessableContent : .conflict)
        }
    }

    /// `GET /dashboard/app-keys/{id}/revocation`: the question whether to revoke it.
    @Sendable package func newRevocation(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        let key = try await key(call)
        return .page(ActionPage(revoking: key, once: newKey, viewer: call.viewer, now: database.now))
    }

    /// `POST /dashboard/app-keys/{id}/revocation`: the reason.
    @Sendable package func createRevocation(_ call: StaffRequest) async throws -> Response {
        let key = try await key(call)
        do {
            let reason = try call.reason()
            let outcome = try await backOffice.revokeAppKey(
                key.id,
                of: call.app.id,
                reason: reason,
                key: try call.key(for: reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.appKeys)
        } catch let error as OperationsError where [.invalid, .notFound].contains(error.code) {
            let page = ActionPage(
                revoking: key,
                once: newKey,
                typed: call.form.typed,
                error: error,
                viewer: call.viewer,
                now: database.now
            )
            return .page(page, status: error.code == .invalid ? .unprocessableContent : .conflict)
        }
    }

    /// A form's one-time key.
    private var newKey: String { database.newUUID().uuidString.lowercased() }

    private static func scopes(_ chosen: [String]) throws(OperationsError) -> Set<AppKeyScope> {
        guard !chosen.isEmpty else { throw OperationsError(problems: [FieldProblem("scope", .missing)]) }
        let known = chosen.compactMap { AppKeyScope(rawValue: $0) }
        guard known.count == chosen.count else {
            throw OperationsError(problems: [FieldProblem("scope", .unknownChoice)])
        }
        return Set(known)
    }

    /// A key of the chosen app; one of another is not there.
    private func key(_ call: StaffRequest) async throws -> ListedAppKey {
        guard let id = AppKey.ID(try call.parameter("id")),
            let key = try await backOffice.listedAppKey(id, of: call.app.id)
        else { throw WebError(.notFound, "There is no such key.") }
        return key
    }
}
