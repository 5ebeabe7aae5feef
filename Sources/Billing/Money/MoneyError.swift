/// The reason that an amount cannot be computed or read.
package struct MoneyError: Error, Sendable, CustomStringConvertible {
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

    package enum Code: String, Sendable, CaseIterable {
        case otherCurrency
        case overflow
        case divisionByZero
        case notAnAmount
    }

    package var description: String { "\(code): \(message) (\(file):\(line))" }
}
