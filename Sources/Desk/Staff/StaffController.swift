import Billing
import Foundation
import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage
import Words

/// The pages about everybody who may sign in; for admins who see all apps.
package struct StaffController: Sendable {
    let backOffice: BackOffice
    /// `https://office.example.com`; nil on the machine itself.
    let publicURL: String?

    /// `GET /dashboard/staff`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        let rows = try await backOffice.database.readPrimary {
            try await $0.screens.staff(limits: backOffice.sessionLimits)
        }
        return .page(StaffIndexPage(rows: rows, viewer: call.viewer, now: backOffice.database.now))
    }

    /// `GET /dashboard/staff/{id}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        let row = try await row(call)
        let isSelf = row.id == call.session.staff
        return .page(StaffShowPage(row: row, isSelf: isSelf, viewer: call.viewer, now: backOffice.database.now))
    }

    /// `GET /dashboard/staff/invitation`
    @Sendable package func newInvitation(_ call: StaffRequest) async throws -> Response {
        .page(invitationPage(call.taking(), URLEncoded.empty))
    }

    /// `POST /dashboard/staff/invitation`: `email`, `name`, `role`, `all-apps` or several `app`, and the reason.
    @Sendable package func createInvitation(_ call: StaffRequest) async throws -> Response {
        let form = call.form
        do {
            let (email, name) = (try form.single("email") ?? "", try form.single("name") ?? "")
            var problems = FieldProblems()
            let account = try problems.read { try BackOffice.checked(email: email, name: name) }
            let role = try problems.read { try Self.role(form) }
            let apps = try problems.read { try Self.apps(form) }
            let reason = try problems.read { try call.reason() }
            guard account != nil, let role, let apps, let reason else { throw problems.error }
            let invitation = try await backOffice.inviteStaff(
                email: email,
                name: name,
                role: role,
                apps: apps.slugs,
                reason: reason,
                key: try call.key(for: email, name, try form.single("role") ?? ""),
                caller: call.caller
            )
            guard let invitation else { return .seeOther(DashboardPath.staff) }
            return .page(linkPage(invitation, email, call))
        } catch let error as OperationsError where [.invalid, .conflict].contains(error.code) {
            let page = invitationPage(call, form, problems: Self.problems(error, call.viewer.strings))
            return .page(page, status: error.code == .invalid ? .unprocessableContent : .conflict)
        }
    }

    /// `GET /dashboard/staff/{id}/…`
    package func ask(_ action: StaffAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in .page(page(action, try await row(call), call.taking(), URLEncoded.empty)) }
    }

    /// `POST /dashboard/staff/{id}/…`: what is chosen, and the reason.
    package func act(_ action: StaffAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let row = try await row(call)
            do {
                return try await answer(action, row, call)
            } catch let error as OperationsError where [.invalid, .conflict].contains(error.code) {
                let strings = call.viewer.strings
                let problems = Self.problems(error, strings)
                let trouble = problems.isEmpty ? ActionPage.Trouble(headline: strings.staffConflict.description) : nil
                return .page(
                    page(action, row, call, call.form, problems: problems, trouble: trouble),
                    status: error.code == .invalid ? .unprocessableContent : .conflict
                )
            }
        }
    }

    private func answer(_ action: StaffAction, _ row: StaffRow, _ call: StaffRequest) async throws -> Response {
        var problems = FieldProblems()
        let chosen = try problems.read { try change(action, call.form) }
        let given = try problems.read { try call.reason() }
        guard let chosen, let reason = given else { throw problems.error }
        let request = call.form.pairs.filter { !["csrf", "key"].contains($0.name) }.map(\.value).joined(separator: "\n")
        let key = try call.key(for: request)
        guard let change = chosen else {
            let link = try await backOffice.sendPasswordReset(row.id, reason: reason, key: key, caller: call.caller)
            guard let link else { return .seeOther(DashboardPath.staffMember(row.id.description)) }
            return .page(linkPage(link, row.email, call))
        }
        let outcome = try await backOffice.change(row.id, change, reason: reason, key: key, caller: call.caller)
        return call.done(outcome, see: DashboardPath.staffMember(row.id.description))
    }

    /// Returns the change that the form chooses; nil for a link, which changes nothing of the account.
    private func change(_ action: StaffAction, _ form: URLEncoded) throws -> StaffChange? {
        switch action {
        case .role: .role(try Self.role(form))
        case .apps: .apps(try Self.apps(form).slugs)
        case .endedSessions: .endSessions
        case .twoFactorRemoval: .removeTwoFactor
        case .closure: .disable
        case .reopening: .enable
        case .link: nil
        }
    }

    private func row(_ call: StaffRequest) async throws -> StaffRow {
        let id = Staff.ID(try call.parameter("id"))
        let row = try await backOffice.database.readPrimary { reader in
            guard let id else { return nil as StaffRow? }
            return try await reader.screens.staffMember(id, limits: backOffice.sessionLimits)
        }
        guard let row else { throw WebError(.notFound, "There is no such account.") }
        return row
    }

    private func page(
        _ action: StaffAction,
        _ row: StaffRow,
        _ call: StaffRequest,
        _ form: URLEncoded,
        problems: [String: String] = [:],
        trouble: ActionPage.Trouble? = nil
    ) -> ActionPage {
        var fields: [FormField] = []
        switch action {
        case .role: fields = [Self.roleField(form["role"] ?? row.role.rawValue, problems["role"], call.viewer.strings)]
        case .apps:
            let chosen = form.pairs.isEmpty ? row.apps : form.pairs.filter { $0.name == "app" }.map(\.value)
            let all = form.pairs.isEmpty ? row.seesAllApps : form["all-apps"] == "yes"
            fields = Self.appFields(call.viewer, chosen: chosen, all: all, problems["app"])
        case .link, .endedSessions, .twoFactorRemoval, .closure, .reopening: break
        }
        let home = DashboardPath.staffMember(row.id.description)
        let strings = call.viewer.strings
        return ActionPage(
            frame: DashboardFrame(call.viewer, section: .staff, path: action.path(of: row.id)),
            title: action.question(row, strings),
            subtitle: "\(row.name) · \(strings.name(of: row.role))",
            back: ActionPage.Link(text: row.email, href: home),
            trouble: trouble,
            changes: action.changes(row, strings),
            facts: action.facts(strings),
            factsTitle: strings.accessGoodToKnow.description,
            fields: fields
                + FormField.reason(category: form["category"], text: form["reason"], problems: problems, strings),
            hidden: [.newKey(SecretToken.random().description)],
            method: .post,
            action: action.path(of: row.id),
            submit: action.answer(strings).description,
            keep: ActionPage.Link(text: action.keep(strings).description, href: home),
            isDangerous: action.isDangerous
        )
    }

    private func invitationPage(
        _ call: StaffRequest,
        _ form: URLEncoded,
        problems: [String: String] = [:]
    ) -> ActionPage {
        let chosen = form.pairs.filter { $0.name == "app" }.map(\.value)
        let all = form.pairs.isEmpty || form["all-apps"] == "yes"
        let strings = call.viewer.strings
        return ActionPage(
            frame: DashboardFrame(call.viewer, section: .staff, path: DashboardPath.invitation),
            title: strings.staffInviteTitle.description,
            subtitle: strings.staffInviteWhy.description,
            back: ActionPage.Link(text: strings.staffTitle.description, href: DashboardPath.staff),
            fields: [
                FormField("email", strings.staffEmail.description, value: form["email"], problem: problems["email"]),
                FormField("name", strings.staffName.description, value: form["name"], problem: problems["name"]),
                Self.roleField(form["role"], problems["role"], strings),
            ] + Self.appFields(call.viewer, chosen: chosen, all: all, problems["app"])
                + FormField.reason(category: form["category"], text: form["reason"], problems: problems, strings),
            hidden: [.newKey(SecretToken.random().description)],
            method: .post,
            action: DashboardPath.invitation,
            submit: strings.staffInviteSubmit.description,
            keep: ActionPage.Link(text: strings.staffInviteKeep.description, href: DashboardPath.staff)
        )
    }

    private func linkPage(_ invitation: StaffInvitation, _ email: String, _ call: StaffRequest) -> StaffLinkPage {
        let origin = publicURL ?? call.context.listening
        return StaffLinkPage(
            email: email,
            staff: invitation.staff,
            link: "\(origin)\(DashboardPath.welcome)/\(invitation.token)",
            end: invitation.expiresAt,
            viewer: call.viewer
        )
    }

    /// Returns the problems of the fields, in words.
    private static func problems(_ error: OperationsError, _ strings: Strings) -> [String: String] {
        var problems = FormField.problems(in: error, strings)
        let own: [String: StaticString] = [
            "email": strings.staffBadEmail, "name": strings.staffBadName, "role": strings.staffBadRole,
            "app": strings.staffBadApp,
        ]
        for (field, text) in own where problems[field] != nil { problems[field] = text.description }
        return problems
    }

    private static func role(_ form: URLEncoded) throws -> StaffRole {
        guard let role = StaffRole(rawValue: try form.single("role") ?? "") else {
            throw OperationsError(.invalid, "Choose a role.", field: "role")
        }
        return role
    }

    /// The apps that were chosen.
    private struct ChosenApps {
        /// nil for all of them.
        var slugs: [String]?
    }

    private static func apps(_ form: URLEncoded) throws -> ChosenApps {
        if try form.single("all-apps") == "yes" { return ChosenApps(slugs: nil) }
        let slugs = form.pairs.filter { $0.name == "app" }.map(\.value)
        guard !slugs.isEmpty else { throw OperationsError(problems: [FieldProblem("app", .missing)]) }
        return ChosenApps(slugs: slugs)
    }

    private static func roleField(_ value: String?, _ problem: String?, _ strings: Strings) -> FormField {
        func option(_ role: StaffRole, _ why: StaticString) -> FormField.Option {
            let name = strings.name(of: role).description
            return FormField.Option(value: role.rawValue, label: name, detail: why.description)
        }
        return FormField(
            "role",
            strings.staffRole.description,
            value: value,
            .radios([
                option(.support, strings.staffRoleSupportWhy), option(.analyst, strings.staffRoleAnalystWhy),
                option(.admin, strings.staffRoleAdminWhy),
            ]),
            problem: problem
        )
    }

    private static func appFields(
        _ viewer: Viewer,
        chosen: [String],
        all: Bool,
        _ problem: String?
    ) -> [FormField] {
        let strings = viewer.strings
        let everything = FormField.Option(value: "yes", label: strings.staffAllAppsWhy.description, isChosen: all)
        return [
            FormField("all-apps", strings.staffAllApps.description, .checks([everything])),
            FormField(
                "app",
                strings.staffTheseApps.description,
                .checks(
                    viewer.apps.map {
                        FormField.Option(value: $0.slug, label: $0.name, isChosen: chosen.contains($0.slug))
                    }
                ),
                problem: problem
            ),
        ]
    }
}
