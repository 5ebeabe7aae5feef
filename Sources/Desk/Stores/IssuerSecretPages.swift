import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// The form for a secret of the app's own login: `/dashboard/token-issuer/secrets`.
    ///
    /// - Parameter error: the reason why it was refused. The typed text is not shown again.
    init(
        uploadingFor connection: IssuerConnection,
        once: String,
        error: OperationsError? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let obstacle = Self.obstacle(to: connection, strings)
        let field = FormField(
            "sharedSecret",
            strings.connectionsLoginSecret.description,
            .password(autocomplete: "new-password"),
            problem: Self.problem(in: error, strings)
        )
        self.init(
            frame: DashboardFrame(viewer, section: .stores, path: DashboardPath.issuerSecrets, now: now),
            title: strings.connectionsLoginSecret.description,
            subtitle: strings.connectionsLogin.description,
            back: Link(text: strings.connectionsTitle.description, href: DashboardPath.stores),
            trouble: error.flatMap { error in
                error.field == nil
                    ? Trouble(headline: strings.accessNothingDone.description, text: obstacle ?? error.message) : nil
            },
            paragraphs: [obstacle ?? strings.connectionsLoginSource.description],
            fields: obstacle == nil ? [field] : [],
            hidden: [.newKey(once)],
            method: .post,
            action: DashboardPath.issuerSecrets,
            sendsFiles: true,
            submit: obstacle == nil ? strings.connectionsLoginSubmit.description : nil,
            keep: Link(text: strings.connectionsKeyKeep.description, href: DashboardPath.stores),
            warning: obstacle == nil ? strings.connectionsKeySealed.description : nil
        )
    }

    /// The page that asks before an uploaded secret goes: `/dashboard/token-issuer/secrets/{id}/removal`.
    init(
        removing secret: IssuerConnection.Upload,
        once: String,
        typed: TypedFields = [:],
        error: OperationsError? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, path) = (viewer.strings, DashboardPath.removal(of: secret.id))
        self.init(
            frame: DashboardFrame(viewer, section: .stores, path: path, now: now),
            title: strings.connectionsLoginQuestion.description,
            subtitle: strings.connectionsLogin.description,
            back: Link(text: strings.connectionsTitle.description, href: DashboardPath.stores),
            trouble: error?.code == .notFound ? Trouble(headline: strings.connectionsLoginGone.description) : nil,
            facts: [
                Fact(
                    name: strings.connectionsFromUpload.description,
                    value: DateText.full(secret.uploadedAt, in: viewer.zone, strings),
                    at: DateText(secret.uploadedAt, in: viewer.zone, strings)
                )
            ]
                + Self.consequences(
                    undo: strings.connectionsRemoveUndo,
                    notified: strings.connectionsLoginTold,
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
            submit: strings.connectionsLoginRemove.description,
            keep: Link(text: strings.connectionsKeyKeep.description, href: DashboardPath.stores),
            isDangerous: true
        )
    }

    /// Returns the reason why no secret can be uploaded; nil where one can.
    private static func obstacle(to connection: IssuerConnection, _ strings: Strings) -> String? {
        switch connection.keys {
        case .published, .named: strings.connectionsLoginNamed.description
        case .uploaded(let uploads):
            uploads.count < TokenIssuer.mostSecrets ? nil : strings.connectionsLoginFull.description
        }
    }

    private static func problem(in error: OperationsError?, _ strings: Strings) -> String? {
        guard let error, error.field == "sharedSecret" else { return nil }
        return (error.code == .conflict ? strings.connectionsLoginTaken : strings.connectionsLoginProblem).description
    }
}
