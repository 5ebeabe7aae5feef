package import HTTP
package import Hummingbird
package import Operations
import Storage
import Words

/// The help page, for everyone: also for those who cannot sign in.
package struct HelpController: Sendable {
    package let backOffice: BackOffice
    package let cookies: SiteCookies
    package let assets: AssetPaths

    package init(backOffice: BackOffice, cookies: SiteCookies, assets: AssetPaths) {
        self.backOffice = backOffice
        self.cookies = cookies
        self.assets = assets
    }

    /// `GET /dashboard/help`, in the language that the person chose, else the browser's.
    @Sendable package func show(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        var language: Language?
        if let token = cookies.sessionToken(in: request) {
            language = try await backOffice.session(of: token)?.language
        }
        let theme = request.cookie(SiteCookies.theme).flatMap { StaffTheme(rawValue: String($0)) } ?? .system
        return .page(HelpPage(strings: language.map(Strings.init) ?? request.strings, theme: theme, assets: assets))
    }
}
