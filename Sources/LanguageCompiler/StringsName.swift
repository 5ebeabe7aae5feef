/// The spelling of keys and placeholders, and their names in Swift.
enum StringsName {
    /// `orders.no_match` is called `ordersNoMatch`.
    static func accessor(for key: String) -> String {
        var name = ""
        var beginsWord = false
        for character in key {
            if character == "." || character == "_" {
                beginsWord = true
            } else {
                name += beginsWord ? character.uppercased() : String(character)
                beginsWord = false
            }
        }
        return name
    }

    /// Two words or more in small letters, digits and `_`, each beginning with a letter, with dots between.
    static func isKey(_ key: String) -> Bool {
        let strings = key.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return strings.count >= 2
            && strings.allSatisfy { word in
                word.first.map(isSmall) ?? false
                    && word.allSatisfy { isSmall($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
            }
    }

    static func isPlaceholder(_ name: String) -> Bool {
        name.utf8.first.map(isSmall) ?? false
            && name.utf8.allSatisfy { isSmall($0) || isSmall($0 | 0x20) || isDigit($0) }
    }

    private static func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
