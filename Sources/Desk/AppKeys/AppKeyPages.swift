import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// The form for a new secret key: `/dashboard/app-keys/new`.
    ///
    /// - Parameters:
    ///   - name: the typed name, when the form was refused.
    ///   - scopes: the scopes that were chosen then, known or not.
    ///   - error: why it was refused.
    init(
        newAppKey name: String? = nil,
        scopes: [String] = [],
        once: String,
        error: OperationsError? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let problems = error.map { FormField.problems(in: $0, strings) } ?? [:]
        let options = AppKeyScope.allCases.map { scope in
            FormField.Option(
                value: scope.rawValue,
                label: scope.rawValue,
                detail: AppKeyText.purpose(of: scope, strings).description,
                isChosen: scopes.contains(scope.rawValue)
            )
        }
        self.init(
            frame: DashboardFrame(viewer, section: .stores, path: DashboardPath.newAppKey, now: now),
            title: strings.appKeysNewTitle.description,
            subtitle: strings.appKeysNewWhy.description,
            back: Link(text: strings.appKeysTitle.description, href: DashboardPath.appKeys),
            trouble: Self.trouble(error, strings),
            fields: [
                FormField(
                    "name",
                    strings.appKeysName.description,
                    value: name,
                    hint: strings.appKeysNameHint.description,
                    problem: problems["name"] == nil ? nil : strings.appKeysBadName.description
                ),
                FormField(
                    "scope",
                    strings.appKeysScopes.description,
                    .checks(options),
                    problem: problems["scope"] == nil ? nil : strings.appKeysBadScope.description
                ),
            ],
            hidden: [.newKey(once)],
            method: .post,
            action: DashboardPath.appKeys,
            submit: strings.appKeysSubmit.description,
            keep: Link(text: strings.appKeysCancel.description, href: DashboardPath.appKeys)
        )
    }

    /// The page that asks before a secret key is revoked: `/dashboard/app-keys/{id}/revocation`.
    init(
        revoking key: ListedAppKey,
        once: String,
        typed: TypedFields = [:],
        error: OperationsError? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, path) = (viewer.strings, DashboardPath.appKeyRevocation(of: key.id))
        let isGone = error?.code == .notFound || !key.isLive
        self.init(
            frame: DashboardFrame(viewer, section: .stores, path: path, now: now),
            title: strings.appKeysQuestion(name: key.name),
            back: Link(text: strings.appKeysTitle.description, href: DashboardPath.appKeys),
            trouble: isGone ? Trouble(headline: strings.appKeysGone.description) : nil,
            changes: [
                Change(
                    what: strings.appKeysWhat.description,
                    before: strings.appKeysBefore.description,
                    after: strings.appKeysAfter.description
                )
            ],
            facts: [
                Fact(
                    name: strings.appKeysScopes.description,
                    value: key.scopes.map(\.rawValue).joined(separator: ", ")
                )
            ] + Self.consequences(undo: strings.appKeysUndo, notified: strings.appKeysTold, strings),
            factsTitle: strings.accessGoodToKnow.description,
            fields: FormField.reason(
                category: typed["category"],
                text: typed["reason"],
                problems: error.map { FormField.problems(in: $0, strings) } ?? [:],
                strings
            ),
            hidden: [.newKey(once)],
            method: .post,
            action: path,
            submit: strings.appKeysRevokeSubmit.description,
            keep: Link(text: strings.appKeysKeep.description, href: DashboardPath.appKeys),
            isDangerous: true
        )
    }

    /// Returns the trouble that belongs to no field of the form.
    private static func trouble(_ error: OperationsError?, _ strings: Strings) -> Trouble? {
        guard let error, error.code == .conflict else { return nil }
        return Trouble(
            headline: strings.accessNothingDone.description,
            text: error.field == nil ? strings.appKeysFull.description : error.message
        )
    }
}
