import Storage

extension Strings {
    /// "1,284" in English and Chinese, "1.284" in Turkish.
    package func number(_ number: Int) -> String {
        let digits = String(number.magnitude)
        guard digits.utf8.count > 3 else { return number < 0 ? "−" + digits : digits }
        var text = number < 0 ? "−" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index).isMultiple(of: 3) {
                text.unicodeScalars.append(groupSeparator)
            }
            text.append(digit)
        }
        return text
    }

    /// "refunded, “lina”"
    package func list(_ items: [String]) -> String {
        items.joined(separator: pick(en: ", ", tr: ", ", zhHans: "，").description)
    }

    package var groupSeparator: Unicode.Scalar { language == .turkish ? "." : "," }

    package var decimalSeparator: Unicode.Scalar { language == .turkish ? "," : "." }
}
