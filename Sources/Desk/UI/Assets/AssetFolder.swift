package import HTTP
import HTTPTypes
package import Hummingbird
import NIOCore

/// The files of `Public/`, compiled in, each at an address that changes with its content.
package struct AssetFolder: Sendable {
    private struct Asset {
        let body: ByteBuffer
        let mediaType: String
        let tag: EntityTag
    }

    private let assets: [String: Asset]
    private let fingerprinted: [String: String]

    package init() {
        self.init(EmbeddedFiles.assets)
    }

    init(_ files: [EmbeddedFile]) {
        assets = Dictionary(
            files.map { file in
                let asset = Asset(
                    body: ByteBuffer(bytes: file.bytes),
                    mediaType: file.mediaType,
                    tag: EntityTag(named: file.sha256.prefix(16))
                )
                return (file.fingerprintedName, asset)
            }
        ) { first, _ in first }
        fingerprinted = Dictionary(files.map { ($0.name, $0.fingerprintedName) }) { first, _ in first }
    }

    /// The addresses of the pages' own files.
    package var paths: AssetPaths {
        AssetPaths(
            stylesheet: path("dashboard.css"),
            script: path("dashboard.js"),
            payScript: path("pay.js"),
            icon: path("favicon.svg")
        )
    }

    /// The file of that fingerprinted name, or nothing new when the client has it.
    package func response(_ name: String, to request: Request) -> Response? {
        guard let asset = assets[name] else { return nil }
        let headers: HTTPFields = [
            .contentType: asset.mediaType, .cacheControl: "public, max-age=31536000, immutable", .eTag: asset.tag.text,
        ]
        if asset.tag.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
        var response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: asset.body))
        if isText(asset.mediaType) { Compressible.mark(&response) }
        return response
    }

    /// The icon at the address where browsers look for it unasked.
    package func icon(for request: Request) -> Response? {
        fingerprinted["favicon.svg"].flatMap { response($0, to: request) }.map { response in
            var response = response
            response.headers[.cacheControl] = "public, max-age=86400"
            return response
        }
    }

    private func path(_ name: String) -> String {
        "\(SitePath.assets)/\(fingerprinted[name] ?? name)"
    }

    private func isText(_ mediaType: String) -> Bool {
        mediaType.hasPrefix("text/") || mediaType == "image/svg+xml"
    }
}
