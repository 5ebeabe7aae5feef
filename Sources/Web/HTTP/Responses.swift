import APITypes
import HTML
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// A page of HTML, whose language depends on who asks.
    static func page(_ page: some HTMLPage<Strings>, status: HTTPResponse.Status = .ok) -> Response {
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

    /// Says which language it is in, and that another may be asked for.
    mutating func isIn(_ strings: Strings) {
        headers[.contentLanguage] = "\(strings.tag)"
        headers[.vary] = headers[.vary].map { "\($0), Accept-Language" } ?? "Accept-Language"
    }

    static func json(
        _ resource: some JSONRepresentable,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json"
    ) -> Response {
        var json = JSONWriter()
        resource.write(to: &json)
        return .json(json, status: status, type: type)
    }

    /// The same, written already.
    static func json(
        _ json: JSONWriter,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json"
    ) -> Response {
        var response = Response(
            status: status,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes))
        )
        Compressible.mark(&response)
        return response
    }

    /// A whole file of comma-separated values.
    static func csv(_ bytes: [UInt8], named name: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8; header=present",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    static func text(_ text: String, status: HTTPResponse.Status = .ok, type: String = "text/plain") -> Response {
        Response(
            status: status,
            headers: [.contentType: "\(type); charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// 303: go there with GET.
    static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }
}
