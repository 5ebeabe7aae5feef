import HTTP
package import Hummingbird
import Operations
import Storage

/// The settings that a person makes for themselves.
package struct PreferencesController: Sendable {
    let backOffice: BackOffice
    let cookies: SiteCookies

    private static let oneYear = 31_536_000

    /// `GET /dashboard/preferences`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("saved")
        let isSaved = call.query["saved"] == "yes"
        return .page(PreferencesPage(viewer: call.viewer, language: call.session.language, isSaved: isSaved))
    }

    /// `POST /dashboard/preferences`: `theme`, `language` or `shortcuts`.
    @Sendable package func update(_ call: StaffRequest) async throws -> Response {
        var response = Response.seeOther(DashboardPath.safe(try call.form.single("return_to")) ?? DashboardPath.home)
        if let text = try call.form.single("theme") {
            guard let theme = StaffTheme(rawValue: text) else {
                throw WebError(.invalid, "The theme is system, light or dark.", field: "theme")
            }
            try await backOffice.chooseTheme(theme, for: call.session.staff)
            response.addCookie(cookies.set(SiteCookies.theme, theme.rawValue, maxAge: Self.oneYear))
        }
        if let shortcuts = try call.form.single("shortcuts") {
            guard ["on", "off"].contains(shortcuts) else {
                throw WebError(.invalid, "Shortcuts are on or off.", field: "shortcuts")
            }
            try await backOffice.chooseShortcuts(areOn: shortcuts == "on", for: call.session.staff)
        }
        if let tag = try call.form.single("language") {
            guard let language = Language(rawValue: tag) else {
                guard tag.isEmpty else {
                    throw WebError(.invalid, "The language is en, zh-Hans or tr.", field: "language")
                }
                try await backOffice.chooseLanguage(nil, for: call.session.staff)
                return response
            }
            try await backOffice.chooseLanguage(language, for: call.session.staff)
        }
        return response
    }

    /// `POST /dashboard/app`: `app`, a slug; `return_to`, a page of that app.
    @Sendable package func chooseApp(_ call: StaffRequest) async throws -> Response {
        guard let slug = try call.form.single("app") else {
            throw WebError(.invalid, "Which app?", field: "app")
        }
        try await backOffice.chooseApp(slug, for: call.token)
        return .seeOther(DashboardPath.safe(try call.form.single("return_to")) ?? DashboardPath.orders)
    }
}
