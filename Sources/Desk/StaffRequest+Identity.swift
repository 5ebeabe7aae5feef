import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
package import Operations
import Storage
import Words

/// The request that somebody was about to make when they were asked who they are.
package struct InterruptedRequest: Sendable {
    /// The path that it leads to, one of the dashboard.
    package let path: String
    /// The form that was sent, without its token; nil for a page that was opened.
    package let form: String?

    package init(path: String, form: URLEncoded?) {
        self.path = path
        self.form = form.map { form in
            form.pairs.filter { $0.name != "csrf" }
                .map { "\(DashboardPath.encoded($0.name))=\(DashboardPath.encoded($0.value))" }
                .joined(separator: "&")
        }
    }

    /// Reads the request that the page that asks brings back.
    package init(_ fields: URLEncoded) throws {
        path = DashboardPath.safe(try fields.single("next")) ?? DashboardPath.home
        form = try fields.single("kept")
    }

    var hidden: [ActionPage.Hidden] {
        [ActionPage.Hidden(name: "next", value: path)]
            + (form.map { [ActionPage.Hidden(name: "kept", value: $0)] } ?? [])
    }
}

extension StaffRequest {
    /// Asks who is there before going on: a page is left for the question, a form is kept in it.
    package func confirmIdentity(_ backOffice: BackOffice) async throws -> Response {
        guard request.method != .get, request.method != .head else { return confirmIdentity(before: request.target) }
        let kept = InterruptedRequest(path: request.target, form: form)
        return .page(try await identityPage(kept, backOffice))
    }

    /// Asks who is there, and leads to a page then.
    package func confirmIdentity(before path: String) -> Response {
        .seeOther("\(DashboardPath.identity)?next=\(DashboardPath.encoded(path))")
    }

    func identityPage(
        _ interrupted: InterruptedRequest,
        _ backOffice: BackOffice,
        problems: [String: String] = [:],
        trouble: ActionPage.Trouble? = nil
    ) async throws -> ActionPage {
        let hasCode = if case .on = try await backOffice.twoFactor(of: session.staff) { true } else { false }
        let strings = viewer.strings
        let password = FormField(
            "password",
            strings.accountIdentityPassword.description,
            .password(autocomplete: "current-password"),
            problem: problems["password"]
        )
        let code = FormField(
            "code",
            strings.accountIdentityCode.description,
            hint: strings.accountCodeHint.description,
            .code,
            problem: problems["code"]
        )
        return ActionPage(
            frame: DashboardFrame(viewer, section: .none, path: DashboardPath.identity),
            title: strings.accountIdentityTitle.description,
            subtitle: strings.accountIdentityWhy.description,
            back: ActionPage.Link(text: strings.accountIdentityOrders.description, href: DashboardPath.orders),
            trouble: trouble,
            fields: hasCode ? [password, code] : [password],
            hidden: interrupted.hidden,
            method: .post,
            action: DashboardPath.identity,
            submit: strings.accountIdentitySubmit.description,
            keep: ActionPage.Link(text: strings.accountIdentityLeave.description, href: DashboardPath.home)
        )
    }

    /// Puts a session's new token into the browser.
    package func renewing(_ response: Response, _ token: SecretToken, _ backOffice: BackOffice) -> Response {
        var response = response
        response.addCookie(
            cookies.set(cookies.session, token.description, maxAge: Int(backOffice.sessionLimits.absolute))
        )
        return response
    }
}
