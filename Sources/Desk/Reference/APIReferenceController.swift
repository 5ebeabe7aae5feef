package import HTTP
package import Hummingbird
import Operations
import Storage
import Words

/// The API reference, for everyone: made of the same description as `/openapi.json`.
package struct APIReferenceController: Sendable {
    private let backOffice: BackOffice
    private let cookies: SiteCookies
    private let assets: AssetPaths
    private let routes: RouteMap
    private let origin: String
    private let pages = KeptPages()

    /// - Parameters:
    ///   - routes: the operations of the API; asked when a page is made, after the last route has been added.
    ///   - origin: where the API is, for the examples: `https://office.example.com`.
    init(backOffice: BackOffice, cookies: SiteCookies, assets: AssetPaths, routes: RouteMap, origin: String) {
        self.backOffice = backOffice
        self.cookies = cookies
        self.assets = assets
        self.routes = routes
        self.origin = origin
    }

    /// `GET /docs`, in the language that the person chose, else the browser's.
    @Sendable package func index(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let key = try await key(nil, request)
        let strings = Strings(key.language)
        return pages.page(key) { APIReferencePage(strings: strings, frame: frame(key)) }.response(to: request)
    }

    /// `GET /docs/{tag}`
    @Sendable package func show(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let slug = try context.parameters.require("tag")
        guard let tag = APIOperation.Tag.allCases.first(where: { $0.slug == slug }) else {
            throw WebError(.notFound, "The API has no such operations.")
        }
        let key = try await key(tag, request)
        let strings = Strings(key.language)
        let page = pages.page(key) {
            APIReferenceTagPage(tag, of: routes.operations, origin: origin, strings: strings, frame: frame(key))
        }
        return page.response(to: request)
    }

    private func key(_ tag: APIOperation.Tag?, _ request: Request) async throws -> KeptPages.Key {
        var language: Language?
        if let token = cookies.sessionToken(in: request) {
            language = try await backOffice.session(of: token)?.language
        }
        let theme = request.cookie(SiteCookies.theme).flatMap { StaffTheme(rawValue: String($0)) } ?? .system
        return KeptPages.Key(language: language ?? request.strings.language, theme: theme, tag: tag)
    }

    private func frame(_ key: KeptPages.Key) -> APIReferenceFrame {
        let theme = key.theme == .system ? nil : key.theme.rawValue
        return APIReferenceFrame(routes.operations, showing: key.tag, theme: theme, assets: assets)
    }
}
