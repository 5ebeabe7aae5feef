/// The e-mail address that names a staff account.
package enum StaffEmail {
    /// Trimmed and in lower case; nil when it cannot be an address.
    ///
    /// ASCII only, so that "the same address" never depends on a language's rules for capitals.
    package static func normalized(_ text: String) -> String? {
        let trimmed = text.utf8.drop { $0 == UInt8(ascii: " ") }.reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
        guard (3...254).contains(trimmed.count), trimmed.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let parts = trimmed.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        return String(decoding: trimmed, as: UTF8.self).lowercased()
    }
}
