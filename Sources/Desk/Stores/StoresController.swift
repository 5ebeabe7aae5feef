import Billing
import Foundation
import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage

/// The pages about how an app is connected to its stores.
package struct StoresController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/stores`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        let connections = try await backOffice.storeConnections(of: call.app.id)
        let accounts = try await database.read { reader in
            try await reader.screens.accountNotifications(
                of: call.app.id,
                seesPersonalData: call.seesPersonalData,
                limit: StoreIndexPage.accountLimit
            )
        }
        let page = StoreIndexPage(
            connections: connections,
            issuer: try await backOffice.issuerConnection(of: call.app.id),
            accounts: accounts,
            key: database.newUUID().uuidString.lowercased(),
            viewer: call.viewer,
            now: database.now
        )
        return .page(page)
    }

    /// `POST /dashboard/stores/{store}/tests`: asks the store for a test notification.
    @Sendable package func createTest(_ call: StaffRequest) async throws -> Response {
        let store = try await connection(call).store
        let environment = try call.form.single("environment").flatMap(StoreEnvironment.init(rawValue:))
        guard let environment else {
            throw OperationsError(problems: [FieldProblem("environment", .unknownChoice)])
        }
        let path = DashboardPath.test(of: store, in: environment)
        do {
            let outcome = try await backOffice.requestTestNotification(
                of: call.app.id,
                at: store,
                in: environment,
                key: try call.key(for: environment.rawValue),
                caller: call.caller
            )
            return call.done(outcome, see: path)
        } catch let error as OperationsError where error.code == .conflict || error.code == .overloaded {
            // The store's refusal, or its silence, is kept, and stands on the page.
            let newest = try await backOffice.newestTestNotification(of: call.app.id, at: store, in: environment)
            guard newest?.result == .refused || newest?.result == .unanswered else { throw error }
            return .seeOther(path)
        }
    }

    /// `GET /dashboard/stores/{store}/tests/{environment}`; until it is known what came of it, it loads itself again.
    @Sendable package func showTest(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        let connection = try await connection(call)
        guard let environment = StoreEnvironment(rawValue: try call.parameter("environment")) else {
            throw WebError(.notFound, "There is no such test.")
        }
        var newest = connection.tests[environment]
        var problem: String?
        do {
            newest = try await backOffice.newestTestNotification(
                of: call.app.id,
                at: connection.store,
                in: environment
            )
        } catch let error as OperationsError where error.code == .conflict || error.code == .overloaded {
            problem = error.message
        }
        let page = StoreTestPage(
            newest,
            problem: problem,
            of: connection,
            in: environment,
            viewer: call.viewer,
            now: database.now
        )
        var response = Response.page(page)
        if page.isWaiting { response.headers[HTTPField.Name("Refresh") ?? .retryAfter] = "2" }
        return response
    }

    /// `GET /dashboard/stores/{store}/keys/{kind}`: the form for a key.
    @Sendable package func newKey(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        let (connection, key) = try await key(call)
        return .page(
            ActionPage(
                uploading: key,
                of: connection,
                once: database.newUUID().uuidString.lowercased(),
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `POST /dashboard/stores/{store}/keys/{kind}`: keeps it; it is never shown again.
    @Sendable package func createKey(_ call: StaffRequest) async throws -> Response {
        let (connection, shown) = try await key(call)
        let form = StoreKeyForm(shown)
        do {
            let key = try form.key(in: call.form)
            let outcome = try await backOffice.saveStoreKey(
                key,
                of: call.app.id,
                at: connection.store,
                once: try call.key(for: key.fingerprint),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.stores)
        } catch let error as OperationsError where error.code == .invalid || error.code == .conflict {
            let page = ActionPage(
                uploading: shown,
                of: connection,
                once: database.newUUID().uuidString.lowercased(),
                typed: form.shown(of: call.form),
                error: error,
                viewer: call.viewer,
                now: database.now
            )
            return .page(page, status: error.code == .conflict ? .conflict : .unprocessableContent)
        }
    }

    /// `GET /dashboard/stores/{store}/keys/{kind}/removal`: asks before an uploaded key goes.
    @Sendable package func newRemoval(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        let (connection, key) = try await key(call)
        guard key.isUploaded else { return .seeOther(DashboardPath.stores) }
        return .page(removal(of: key, at: connection, call))
    }

    /// `POST /dashboard/stores/{store}/keys/{kind}/removal`
    @Sendable package func createRemoval(_ call: StaffRequest) async throws -> Response {
        let (connection, key) = try await key(call)
        do {
            let reason = try call.reason()
            let outcome = try await backOffice.removeStoreKey(
                key.kind,
                of: call.app.id,
                at: connection.store,
                reason: reason,
                once: try call.key(for: reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.stores)
        } catch let error as OperationsError where error.code == .invalid {
            return .page(removal(of: key, at: connection, call, error), status: .unprocessableContent)
        } catch let error as OperationsError where error.code == .notFound {
            throw WebError(.conflict, error.message, underlying: error)
        }
    }

    private func removal(
        of key: StoreConnection.Key,
        at connection: StoreConnection,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) -> ActionPage {
        ActionPage(
            removing: key,
            of: connection,
            once: database.newUUID().uuidString.lowercased(),
            typed: call.form.typed,
            error: error,
            viewer: call.viewer,
            now: database.now
        )
    }

    /// The app's account at the store of the path.
    private func connection(_ call: StaffRequest) async throws -> StoreConnection {
        let name = try call.parameter("store")
        guard
            let found = try await backOffice.storeConnections(of: call.app.id).first(where: {
                $0.store.rawValue == name
            })
        else { throw WebError(.notFound, "The app has no account at such a store.") }
        return found
    }

    private func key(_ call: StaffRequest) async throws -> (StoreConnection, StoreConnection.Key) {
        let connection = try await connection(call)
        guard let kind = StoreKey.Kind(rawValue: try call.parameter("kind")),
            let key = connection.keys.first(where: { $0.kind == kind })
        else { throw WebError(.notFound, "The store has no such key.") }
        return (connection, key)
    }
}
