/// The media type of a file, by the ending of its name.
enum MediaType {
    static func of(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return byEnding[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let unknown = "application/octet-stream"

    private static let byEnding = [
        "css": "text/css; charset=utf-8",
        "csv": "text/csv; charset=utf-8",
        "gif": "image/gif",
        "html": "text/html; charset=utf-8",
        "ico": "image/x-icon",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "png": "image/png",
        "sql": "application/sql",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json",
        "webp": "image/webp",
        "woff2": "font/woff2",
        "xml": "application/xml",
        "yaml": "application/yaml",
    ]
}
