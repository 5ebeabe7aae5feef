import HTML
import HTTP
import HTTPTypes
import Hummingbird
import NIOCore
import Storage
import Synchronization
import Words

/// Pages that never change while the server runs. Each is made on its first request, and kept as its bytes.
///
/// The keys are few: our languages, our themes, and the tags of the API.
final class KeptPages: Sendable {
    private let pages = Mutex<[Key: KeptPage]>([:])

    struct Key: Hashable, Sendable {
        let language: Language
        let theme: StaffTheme
        /// nil for the first page.
        let tag: APIOperation.Tag?
    }

    /// Two requests may make the same page at the same time; it is the same to the byte.
    func page(_ key: Key, make: () -> some HTMLPage<Strings>) -> KeptPage {
        if let page = pages.withLock({ $0[key] }) { return page }
        let page = KeptPage(make())
        pages.withLock { $0[key] = page }
        return page
    }
}

/// The bytes of a page, and their name.
struct KeptPage: Sendable {
    private let body: ByteBuffer
    private let tag: EntityTag
    private let language: String

    init(_ page: some HTMLPage<Strings>) {
        var html = HTMLBuffer()
        page.render(into: &html)
        let bytes = html.withUnsafeBytes { Array($0) }
        body = ByteBuffer(bytes: bytes)
        tag = EntityTag(of: bytes)
        language = page.strings.tag.description
    }

    /// The page, or nothing new when the client has it.
    func response(to request: Request) -> Response {
        let headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .contentLanguage: language, .vary: "Accept-Language, Cookie",
            .cacheControl: "private, no-cache", .eTag: tag.text,
        ]
        if tag.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
        var response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        Compressible.mark(&response)
        return response
    }
}
