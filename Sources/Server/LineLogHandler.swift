import Foundation
package import Logging

/// Writes an entry as one line, whatever is in it, so that it can be searched, counted and shipped.
package struct LineLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata = Logger.Metadata()
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let write: @Sendable (String) -> Void

    /// - Parameter write: takes a line with its end.
    package init(label: String, write: @escaping @Sendable (String) -> Void = Self.writeToStandardError) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        if let error = event.error { all["error"] = "\(FailureText.text(of: error) ?? "\(error)")" }
        let facts = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let time = Date().formatted(.iso8601)
        write(Self.oneLine("\(time) \(event.level) \(label):\(facts) [\(event.source)] \(event.message)") + "\n")
    }

    /// Ends of lines and other control characters are written as they are in a program's text.
    private static func oneLine(_ text: String) -> String {
        // Nearly all lines; a look at each scalar's category costs more than the rest of the line.
        guard !isPlain(text), text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case let other where isControl(other): line += "\\u{\(String(other.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns true for ASCII without control characters.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// In one call, so that the lines of several threads do not mix.
    package static func writeToStandardError(_ line: String) {
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
