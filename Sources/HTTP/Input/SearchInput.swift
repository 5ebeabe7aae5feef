import Foundation
import Storage
import Words

/// A search text as it comes from a URL: trimmed, composed, in the usual width, without what a file of ours has for spreadsheets, and no
/// longer than any id, name or address.
package enum SearchInput {
    package static func text(_ typed: String?) -> String {
        guard let typed, !typed.isEmpty else { return "" }
        let trimmed = typed.trimmingCharacters(in: .whitespacesAndNewlines).filter { $0 != "\0" }
        let text = SpreadsheetText.restored(trimmed.withoutDirectionMarks.precomposedStringWithCompatibilityMapping)
            // İ in the lower case of other languages: an i with a second dot.
            .replacingOccurrences(of: "i\u{307}", with: "i", options: .literal)
        return String(text.prefix(longest))
    }

    private static let longest = 200
}
