import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
package import Storage

/// The pages that give lists names, and the columns that people choose for themselves.
package struct ViewsController: Sendable {
    let backOffice: BackOffice

    /// `GET /dashboard/views/new`: `list`, and the list's filters, order and columns.
    @Sendable package func new(_ call: StaffRequest) async throws -> Response {
        let list = ListName(rawValue: call.query["list"] ?? "") ?? .orders
        let state = try ListState(list, call.query.pairs, call)
        let viewer = call.viewer.told(of: state.ignored)
        return .page(ViewPages.new(state, ViewForm(), try await own(list, call), viewer, key: newKey))
    }

    /// `POST /dashboard/views`
    @Sendable package func create(_ call: StaffRequest) async throws -> Response {
        let kept = try URLEncoded((call.form.single("query") ?? "").dropFirst()).pairs
        let state = try ListState(list(call), kept, call)
        let form = try ViewForm(call.form)
        do {
            let command = ViewCommand(
                name: form.name,
                list: state.list,
                query: state.query,
                columns: state.columns,
                isShared: form.isShared
            )
            let key = try call.key(
                for: command.list.rawValue,
                command.query,
                command.columns.text,
                command.name,
                form.shared
            )
            let outcome = try await backOffice.saveView(command, app: call.app.id, key: key, caller: call.caller)
            return call.done(outcome, see: state.path)
        } catch let error as OperationsError where error.code == .invalid {
            let key = try call.form.single("key") ?? newKey
            let page = ViewPages.new(state, form, try await own(state.list, call), call.viewer, key: key, error: error)
            return .page(page, status: .unprocessableContent)
        }
    }

    /// `GET /dashboard/views/{id}`: rename, share, or go on to delete; with `list` and the list's filters, order and columns
    /// also keep these from now on.
    @Sendable package func edit(_ call: StaffRequest) async throws -> Response {
        let view = try await view(call)
        guard view.owner == call.session.staff else { return .seeOther(DashboardPath.viewDeletion(view.id)) }
        let state =
            call.query["list"] == view.list.rawValue
            ? try ListState(view.list, call.query.pairs, call) : nil
        let viewer = state.map { call.viewer.told(of: $0.ignored) } ?? call.taking().viewer
        return .page(ViewPages.change(view, to: state, ViewForm(view), viewer, key: newKey))
    }

    /// `POST /dashboard/views/{id}`
    @Sendable package func update(_ call: StaffRequest) async throws -> Response {
        let view = try await view(call)
        let form = try ViewForm(call.form)
        let state = try call.form.single("query").map { query in
            try ListState(view.list, try URLEncoded(query.dropFirst()).pairs, call)
        }
        do {
            let outcome = try await backOffice.changeView(
                view.id,
                name: form.name,
                isShared: form.isShared,
                state: state.map { ($0.query, $0.columns) },
                app: call.app.id,
                key: try call.key(for: form.name, form.shared, state?.text ?? ""),
                caller: call.caller
            )
            return call.done(outcome, see: state?.path ?? view.path)
        } catch let error as OperationsError where error.code == .invalid {
            let key = try call.form.single("key") ?? newKey
            let page = ViewPages.change(view, to: state, form, call.viewer, key: key, error: error)
            return .page(page, status: .unprocessableContent)
        }
    }

    /// `GET /dashboard/views/{id}/delete`
    @Sendable package func askToDelete(_ call: StaffRequest) async throws -> Response {
        let view = try await view(call)
        guard view.mayBeDeleted(by: call.session.staff, call.session.role) else {
            throw WebError(.forbidden, "This view is somebody else's.")
        }
        return .page(ViewPages.deletion(view, call.taking().viewer, key: newKey))
    }

    /// `POST /dashboard/views/{id}/delete`: `list`, to go back to.
    @Sendable package func delete(_ call: StaffRequest) async throws -> Response {
        let list = ListName(rawValue: try call.form.single("list") ?? "") ?? .orders
        // Sent twice, the view is gone the second time: its key says then what came of it.
        if try call.form.single("key") == nil { _ = try await view(call) }
        let outcome = try await backOffice.deleteView(
            Self.id(call),
            app: call.app.id,
            key: try call.key(),
            caller: call.caller
        )
        return call.done(outcome, see: list.path)
    }

    /// `POST /dashboard/columns`: `list`, each `column` to show, or `all`; `return_to`.
    @Sendable package func chooseColumns(_ call: StaffRequest) async throws -> Response {
        let list = try list(call)
        let names = call.form.pairs.filter { $0.name == "column" }
        let columns =
            try call.form.single("all") == nil
            ? ColumnChoice(names.compactMap { ListColumn(rawValue: $0.value) }, of: list) : ColumnChoice(allOf: list)
        try await backOffice.chooseColumns(columns, caller: call.caller)
        return .seeOther(DashboardPath.safe(try call.form.single("return_to")) ?? list.path)
    }

    private func list(_ call: StaffRequest) throws -> ListName {
        guard let list = ListName(rawValue: try call.form.single("list") ?? "") else {
            throw WebError(.invalid, "Which list?", field: "list")
        }
        return list
    }

    /// The person's own views of a list, which may keep another state of it.
    private func own(_ list: ListName, _ call: StaffRequest) async throws -> [SavedView] {
        try await backOffice.database.readPrimary { try await $0.ask(call.settings(of: list, $0)) }.views
            .filter { $0.owner == call.session.staff }
    }

    private func view(_ call: StaffRequest) async throws -> SavedView {
        let id = try Self.id(call)
        let view = try await backOffice.database.readPrimary {
            try await $0.savedViews.find(
                id,
                app: call.app.id,
                staff: call.session.staff,
                seesPersonalData: call.seesPersonalData
            )
        }
        guard let view else { throw WebError(.notFound, "There is no such view.") }
        return view
    }

    private static func id(_ call: StaffRequest) throws -> SavedView.ID {
        guard let id = SavedView.ID(try call.parameter("id")) else {
            throw WebError(.notFound, "There is no such view.")
        }
        return id
    }

    private var newKey: String { backOffice.database.newUUID().uuidString.lowercased() }
}

/// A list's state that can be kept, as its own addresses have it.
package struct ListState: Sendable {
    package let list: ListName
    /// `?status=refunded`
    package let query: String
    package let columns: ColumnChoice
    /// The parts of its address that the list does not understand.
    package let ignored: [IgnoredParameter]

    /// - Throws: `WebError` with `.forbidden` for a list that this person may not see.
    package init(_ list: ListName, _ pairs: [(name: String, value: String)], _ call: StaffRequest) throws {
        guard call.viewer.may(list.permission) else { throw WebError(.forbidden, "This list is not for this role.") }
        let (address, ignored) = try call.reading { () throws(InvalidCursor) in try list.address(pairs) }
        self.list = list
        self.ignored = ignored
        query = address.queryText(withPosition: false).text
        columns = address.columns ?? ColumnChoice(allOf: list)
    }

    /// With its columns, also where a form keeps it.
    package var text: String { "\(query)\(query.isEmpty ? "?" : "&")columns=\(columns.text)" }
    package var path: String { list.path + text }
    /// The address of the form that names it.
    package var newViewPath: String { "\(DashboardPath.views)/new\(text)&list=\(list.rawValue)" }
}

/// The typed fields of a view's form.
package struct ViewForm: Sendable {
    package var name = ""
    package var isShared = false
    package var shared: String { isShared ? "yes" : "no" }

    package init() {}

    package init(_ view: SavedView) {
        (name, isShared) = (view.name, view.isShared)
    }

    package init(_ fields: URLEncoded) throws(WebError) {
        name = try fields.single("name") ?? ""
        isShared = try fields.single("shared") == "yes"
    }
}

extension StaffRequest {
    /// Reads the settings that this person has for a list: its views and the columns.
    package func settings(of list: ListName, _ reader: Reader) -> BatchedQuery<ListSettings> {
        reader.savedViews.settings(
            of: list,
            app: app.id,
            staff: session.staff,
            seesPersonalData: seesPersonalData
        )
    }
}
