import HTTPTypes
package import Hummingbird
package import NIOHTTP1
package import NIOHTTPCompression

/// The mark that a response carries inside the server when compressing it is worth the work and safe.
///
/// Safe means: no secret stands in it as it is. Form tokens are masked anew in each page for this reason (BREACH).
package enum Compressible {
    private static let markName = "perennial-compressible"
    private static let mark = HTTPField.Name(markName)
    /// Below this a compressed body saves no packet.
    private static let smallest = 1_400

    package static func mark(_ response: inout Response) {
        guard let mark, response.body.contentLength.map({ $0 >= smallest }) ?? false else { return }
        response.headers[mark] = "1"
        response.headers[.vary] = response.headers[.vary].map { "Accept-Encoding, \($0)" } ?? "Accept-Encoding"
    }

    package static func unmark(_ response: inout Response) {
        guard let mark else { return }
        response.headers[mark] = nil
    }

    package static func decide(
        _ head: inout HTTPResponseHead,
        _ isSupported: Bool
    ) -> HTTPResponseCompressor.CompressionIntent {
        guard head.headers.contains(name: markName) else { return .doNotCompress }
        head.headers.remove(name: markName)
        guard isSupported else { return .doNotCompress }
        if let tag = head.headers.first(name: "ETag"), !tag.hasPrefix("W/") {
            head.headers.replaceOrAdd(name: "ETag", value: "W/\(tag)")
        }
        return .compressIfPossible
    }
}
