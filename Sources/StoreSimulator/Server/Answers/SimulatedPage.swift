import Foundation
import Gateways

/// Twenty transactions of a list, and the place after them.
///
/// A place is the last change and the id of the transaction before it: what changes while somebody reads comes again at the end.
struct SimulatedPage {
    let entries: [SimulatedBooks.Entry]
    let hasMore: Bool
    /// Opaque; of this query only.
    let revision: String

    static let size = 20

    /// - Parameter list: in the order of their changes, or the reverse of it.
    init(
        _ list: some Sequence<SimulatedBooks.Entry>,
        from request: SimulatedRequest,
        isDescending: Bool = false
    ) throws(SimulatedRefusal) {
        let query = SimulatedPlace.fingerprint(of: request)
        var rest = Array(list)
        var place = SimulatedPlace(date: 0, id: "", query: query)
        if let text = request.first("revision") {
            guard let known = SimulatedPlace(text), known.query == query else {
                throw SimulatedRefusal(.invalidRequestRevision)
            }
            place = known
            rest = rest.filter { entry in
                let own = (entry.changedAt.milliseconds.integer ?? 0, entry.id)
                return isDescending ? own < (known.date, known.id) : own > (known.date, known.id)
            }
        }
        entries = Array(rest.prefix(Self.size))
        hasMore = rest.count > Self.size
        if let last = entries.last {
            place = SimulatedPlace(date: last.changedAt.milliseconds.integer ?? 0, id: last.id, query: query)
        }
        revision = place.text
    }
}

/// Where a page ended.
struct SimulatedPlace: Hashable {
    var date: Int64
    var id: String
    /// Of the query that it belongs to.
    var query: Int64

    init(date: Int64, id: String, query: Int64) {
        self.date = date
        self.id = id
        self.query = query
    }

    init?(_ text: String) {
        guard let bytes = Base64.decode(url: text.utf8), let json = try? JSON(parsing: bytes),
            let date = json["d"]?.integer, let id = json["i"]?.string, let query = json["q"]?.integer
        else { return nil }
        self.init(date: date, id: id, query: query)
    }

    var text: String {
        let json: JSON = ["d": .integer(date), "i": .string(id), "q": .integer(query)]
        return String(decoding: Base64.encode(url: json.bytes), as: UTF8.self)
    }

    /// The same for the same question, whichever page of it.
    static func fingerprint(of request: SimulatedRequest) -> Int64 {
        let pages: Set = ["revision", "paginationToken"]
        let query = request.query.filter { !pages.contains($0.name) }.map { "\($0.name)=\($0.value)" }.sorted()
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(query.joined(separator: "&").utf8) + Array(request.body) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return Int64(bitPattern: hash)
    }
}
