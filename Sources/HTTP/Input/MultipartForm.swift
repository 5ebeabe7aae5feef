import Foundation
import HTTPTypes
import Hummingbird
package import NIOCore

/// A form with files (RFC 7578), read strictly: text in UTF-8, one part a name.
package enum MultipartForm {
    /// The fields by name; a file's content stands under its name, what it is called under `name.filename`.
    package static func read(_ body: ByteBuffer, boundary: String) throws(WebError) -> URLEncoded {
        let bytes = Array(body.readableBytesView)
        let delimiter = Array("--\(boundary)".utf8)
        var pairs: [URLEncoded.Pair] = []
        guard var position = find(delimiter, in: bytes, from: 0) else { throw broken }
        while true {
            position += delimiter.count
            // safe: found by `find`, with what it found behind it
            if bytes[position...].starts(with: "--".utf8) { break }
            guard bytes[position...].starts(with: "\r\n".utf8),  // safe: as above
                let headEnd = find(Array("\r\n\r\n".utf8), in: bytes, from: position),
                let next = find(Array("\r\n".utf8) + delimiter, in: bytes, from: headEnd + 2)
            else { throw broken }
            guard pairs.count < URLEncoded.maximumCount else { throw broken }
            // safe: `headEnd` was looked for from `position` on
            let head = String(decoding: bytes[position..<headEnd], as: UTF8.self)
            guard let name = parameter("name", of: head),
                // safe: bounded by min
                let value = String(validating: bytes[min(headEnd + 4, next)..<next], as: UTF8.self),
                !value.utf8.contains(0)
            else { throw WebError(.badRequest, "The form or its file is not UTF-8 text.") }
            pairs.append((name, value))
            if let file = parameter("filename", of: head) { pairs.append((name + ".filename", file)) }
            position = next + 2
        }
        return URLEncoded(pairs: pairs)
    }

    /// The boundary that a `Content-Type` names.
    package static func boundary(of contentType: String?) -> String? {
        guard let contentType, let start = contentType.range(of: "boundary=") else { return nil }
        let value = contentType[start.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        return (1...70).contains(value.count) ? String(value) : nil
    }

    private static func parameter(_ name: String, of head: String) -> String? {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-disposition:") {
            guard let start = line.range(of: "; \(name)=\"") else { return nil }
            return String(line[start.upperBound...].prefix { $0 != "\"" })
        }
        return nil
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
        var index = start
        let last = bytes.count - pattern.count
        while index <= last {
            if bytes[index] == first, bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
            index += 1
        }
        return nil
    }

    private static var broken: WebError { WebError(.badRequest, "The form is not whole. Send it again.") }
}
