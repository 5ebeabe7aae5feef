/// Names and labels as Prometheus takes them.
package enum MetricName {
    /// Letters, digits, `_` and `:`; everything else becomes `_`.
    package static func sanitized(_ name: String) -> String {
        let characters = name.utf8.map { byte in isPart(byte) || byte == UInt8(ascii: ":") ? byte : UInt8(ascii: "_") }
        let text = String(decoding: characters, as: UTF8.self)
        return text.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true ? "_\(text)" : text
    }

    /// `{route="/dashboard",status="200"}`, or nothing; sorted, so that one set of labels has one text.
    package static func labels(_ dimensions: [(String, String)]) -> String {
        guard !dimensions.isEmpty else { return "" }
        let labels = dimensions.map { "\(labelName($0))=\"\(escaped($1))\"" }.sorted()
        return "{\(labels.joined(separator: ","))}"
    }

    /// The labels with one more behind them.
    package static func adding(_ label: String, to labels: String) -> String {
        labels.isEmpty ? "{\(label)}" : "\(labels.dropLast()),\(label)}"
    }

    private static func labelName(_ name: String) -> String {
        sanitized(name).replacing(":", with: "_")
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
