package import HTML
import HTTP
package import HTTPTypes
package import Hummingbird
import NIOCore
package import Words

extension Response {
    /// A page of HTML, whose language depends on who asks.
    package static func page(_ page: some HTMLPage<Strings>, status: HTTPResponse.Status = .ok) -> Response {
        var html = HTMLBuffer()
        page.render(into: &html)
        let body = html.withUnsafeBytes { ByteBuffer(bytes: $0) }
        var response = Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentLanguage: "\(page.strings.tag)",
                .vary: "Accept-Language, Cookie",
            ],
            body: ResponseBody(byteBuffer: body)
        )
        Compressible.mark(&response)
        return response
    }
}
