import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// The form for a key of a store: `/dashboard/stores/{store}/keys/{kind}`.
    ///
    /// - Parameters:
    ///   - typed: the form's fields when it was refused, without secrets.
    ///   - error: why it was refused.
    init(
        uploading key: StoreConnection.Key,
        of connection: StoreConnection,
        once: String,
        typed: TypedFields = [:],
        error: OperationsError? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, path) = (viewer.strings, DashboardPath.key(key.kind, of: connection.store))
        let stores = Link(text: strings.connectionsTitle.description, href: DashboardPath.stores)
        let isNamed = key.isNamed
        self.init(
            frame: DashboardFrame(viewer, section: .stores, path: path, now: now),
            title: StoreConnectionText.name(of: key.kind, at: connection.store, strings).description,
            subtitle: StoreText.name(of: connection.store, strings),
            back: stores,
            trouble: Self.trouble(error, named: isNamed, strings),
            paragraphs: [
                isNamed
                    ? strings.connectionsKeyNamed.description
                    : StoreConnectionText.source(of: key.kind, at: connection.store, strings).description
            ],
            fields: isNamed ? [] : Self.fields(of: key, typed, error, strings),
            hidden: [.newKey(once)],
            method: .post,
            action: path,
            sendsFiles: true,
            submit: isNamed ? nil : strings.connectionsKeySubmit.description,
            keep: Link(text: strings.connectionsKeyKeep.description, href: DashboardPath.stores),
            warning: isNamed ? nil : strings.connectionsKeySealed.description
        )
    }

    /// The page that asks before an uploaded key goes: `/dashboard/stores/{store}/keys/{kind}/removal`.
    init(
        removing key: StoreConnection.Key,
        of connection: StoreConnection,
        once: String,
        typed: TypedFields = [:],
        error: OperationsError? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, path) = (viewer.strings, DashboardPath.keyRemoval(key.kind, of: connection.store))
        let name = StoreConnectionText.name(of: key.kind, at: connection.store, strings).description
        self.init(
            frame: DashboardFrame(viewer, section: .stores, path: path, now: now),
            title: strings.connectionsRemoveQuestion(key: name),
            subtitle: StoreText.name(of: connection.store, strings),
            back: Link(text: strings.connectionsTitle.description, href: DashboardPath.stores),
            facts: Self.consequences(
                undo: strings.connectionsRemoveUndo,
                notified: strings.connectionsRemoveTold,
                strings
            ),
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
            submit: strings.connectionsRemove.description,
            keep: Link(text: strings.connectionsKeyKeep.description, href: DashboardPath.stores),
            isDangerous: true
        )
    }

    /// Returns the trouble that belongs to no field of the form.
    private static func trouble(_ error: OperationsError?, named: Bool, _ strings: Strings) -> Trouble? {
        guard let error, error.field == nil else { return nil }
        return Trouble(
            headline: strings.accessNothingDone.description,
            text: named ? strings.connectionsKeyNamed.description : error.message
        )
    }

    private static func fields(
        of key: StoreConnection.Key,
        _ typed: TypedFields,
        _ error: OperationsError?,
        _ strings: Strings
    ) -> [FormField] {
        let problems = Dictionary((error?.problems ?? []).map { ($0.field, $0) }) { first, _ in first }
        func problem(_ name: String) -> String? {
            problems[name].map { problem in
                problem.kind == .missing
                    ? strings.sentence(of: problem)
                    : StoreConnectionText.problem(with: name, strings)?.description ?? strings.sentence(of: problem)
            }
        }
        let settings = key.settingNames.map { name in
            FormField(
                name,
                StoreConnectionText.label(of: name, strings),
                value: typed[name] ?? key.settings[name],
                hint: StoreConnectionText.hint(of: name, strings)?.description,
                problem: problem(name)
            )
        }
        let secrets = key.secretNames.map { name in
            FormField(
                name,
                StoreConnectionText.label(of: name, strings),
                hint: StoreConnectionText.hint(of: name, strings)?.description,
                StoreConnectionText.isTyped(name) ? .password(autocomplete: "new-password") : .file,
                problem: problem(name)
            )
        }
        return settings + secrets
    }
}
