import Crypto
import HTTPTypes
package import Hummingbird
import Operations

/// The name of an address's present content (RFC 9110, 8.8.3); the same content has the same name on every server.
package struct EntityTag: Sendable, Hashable {
    /// As in `ETag`, with its quotes.
    package let text: String

    /// Of something that has a name already.
    ///
    /// - Parameter name: without quotes.
    package init(named name: some StringProtocol) {
        text = "\"\(name)\""
    }

    /// - Parameters:
    ///   - volatile: parts that differ each time the same is asked, in order; they are left out.
    ///   - scope: the caller and the place: the same content for two callers has two names.
    package init(of bytes: [UInt8], without volatile: [Range<Int>] = [], in scope: String = "") {
        var hash = SHA256()
        hash.update(data: Array(scope.utf8))
        var rest = bytes[...]
        for part in volatile {
            hash.update(data: rest.prefix(upTo: part.lowerBound))
            rest = rest.suffix(from: part.upperBound)
        }
        hash.update(data: rest)
        self.init(named: Array(hash.finalize().prefix(12)).hexadecimal)
    }

    /// Returns true if the client has it (`If-None-Match`, compared weakly).
    package func isKnown(to request: Request) -> Bool {
        guard let known = request.headers[.ifNoneMatch] else { return false }
        return known.split(separator: ",").contains { candidate in
            let name = candidate.trimming { $0 == " " || $0 == "\t" }
            return name == "*" || name == text || name == "W/\(text)"
        }
    }
}

extension Substring {
    fileprivate func trimming(_ isBlank: (Character) -> Bool) -> Substring {
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
