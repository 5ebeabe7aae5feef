package import APITypes
package import HTTPTypes
package import Hummingbird
import NIOCore
package import Words

extension Response {
    /// Says which language it is in, and that another may be asked for.
    package mutating func isIn(_ strings: Strings) {
        headers[.contentLanguage] = "\(strings.tag)"
        headers[.vary] = headers[.vary].map { "\($0), Accept-Language" } ?? "Accept-Language"
    }

    package static func json(
        _ resource: some JSONRepresentable,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json"
    ) -> Response {
        var json = JSONWriter()
        resource.write(to: &json)
        return .json(json, status: status, type: type)
    }

    /// The same, written already.
    package static func json(
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
    package static func csv(_ bytes: [UInt8], named name: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8; header=present",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    package static func text(_ text: String, status: HTTPResponse.Status = .ok, type: String = "text/plain") -> Response
    {
        Response(
            status: status,
            headers: [.contentType: "\(type); charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// 303: go there with GET.
    package static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }
}
