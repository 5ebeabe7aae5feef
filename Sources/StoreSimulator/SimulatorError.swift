/// An error of the simulated store.
package struct SimulatorError: Error, CustomStringConvertible {
    package var code: Code
    package var message: String
    package var underlying: (any Error)?
    package var file: String
    package var line: Int

    package init(
        _ code: Code,
        _ message: String,
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.file = file
        self.line = line
    }

    package var description: String {
        let cause = underlying.map { " (\($0))" } ?? ""
        return "\(code.rawValue): \(message)\(cause) at \(file):\(line)"
    }

    package enum Code: String, Sendable, CaseIterable {
        /// The directory of the test authority cannot be read or written.
        case unusableAuthority
        /// The delivery address is not an HTTP URL.
        case invalidURL
        /// The port is taken, or may not be listened on.
        case unusablePort
        /// No simulated store answers where it was looked for.
        case unreachable
        /// The simulated store refuses what it was told, and the message says which member of it.
        case refused
    }
}
