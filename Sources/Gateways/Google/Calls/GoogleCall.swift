import Foundation

/// One question to the Developer API about one app.
struct GoogleCall: Sendable {
    var method: String
    /// Below the app, with the query, all of it escaped.
    var target: String
    var body: JSON?
    /// True if asking twice does no more than asking once.
    var isRepeatable: Bool
    /// True if there is an object in its answer.
    var answersWithBody: Bool
    /// True if its subject may be too new for Google to know it.
    var isFresh: Bool
    /// The field of the request that is wrong if Google refuses it.
    var field: String?

    init(
        _ method: String,
        _ parts: [Part],
        query: [(String, String)] = [],
        body: JSON? = nil,
        isRepeatable: Bool = true,
        answersWithBody: Bool = true,
        isFresh: Bool = false,
        field: String? = nil
    ) {
        self.method = method
        let path = parts.map(\.text).joined()
        target = query.isEmpty ? path : "\(path)?\(FormFields.encode(query))"
        self.body = body
        (self.isRepeatable, self.answersWithBody) = (isRepeatable, answersWithBody)
        (self.isFresh, self.field) = (isFresh, field)
    }

    /// A part of a path: ours, or what came from outside and is one segment.
    enum Part: Sendable {
        case path(StaticString)
        case segment(String)

        var text: String {
            switch self {
            case .path(let text): "\(text)"
            case .segment(let text): text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
            }
        }

        /// RFC 3986, 2.3.
        private static let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
    }
}

extension String {
    /// True if it can be a token or an order id in a path: it leads to no other path.
    var isGoogleName: Bool {
        !isEmpty && utf8.count <= 4_096 && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !allSatisfy { $0 == "." }
    }
}
