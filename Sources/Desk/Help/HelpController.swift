package import HTTP
package import Hummingbird
import Operations
import Storage
import Words

/// The help page, for everyone: also for those who cannot sign in.
package struct HelpController: Sendable {
    let backOffice: BackOffice
    let cookies: SiteCookies
    let assets: AssetPaths

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
