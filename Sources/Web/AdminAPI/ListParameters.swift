import Billing
import Foundation
import Storage

/// The parameters of a list; each mistake is named, nothing is guessed.
struct ListParameters: Sendable {
    private let query: URLEncoded

    private static let longestSearch = 200

    /// - Parameter names: what the list can be asked besides its app.
    init(_ query: URLEncoded, takes names: Set<String>) throws(WebError) {
        if let unknown = query.pairs.first(where: { $0.name != "app" && !names.contains($0.name) }) {
            throw WebError(.invalid, "There is no such parameter.", field: String(unknown.name.prefix(100)))
        }
        self.query = query
    }

    /// - Parameter read: nil for a text that is no value of this parameter.
    func value<Value>(_ name: String, _ read: (String) -> Value?) throws(WebError) -> Value? {
        guard let text = try query.single(name) else { return nil }
        guard let value = read(text) else {
            throw WebError(.invalid, "This value of \(name) is not known.", field: name)
        }
        return value
    }

    func day(_ name: String) throws(WebError) -> BusinessDay? {
        guard let text = try query.single(name) else { return nil }
        do throws(BusinessDay.Unreadable) {
            return try BusinessDay(reading: text)
        } catch {
            let days = BusinessDay.nameable
            throw WebError(.invalid, "\(name) is a day from \(days.lowerBound) to \(days.upperBound).", field: name)
        }
    }

    func search(_ name: String = "q") throws(WebError) -> String {
        guard let text = try query.single(name) else { return "" }
        guard text.unicodeScalars.count <= Self.longestSearch else {
            throw WebError(.invalid, "A search has at most \(Self.longestSearch) characters.", field: name)
        }
        return SearchInput.text(text)
    }

    func position(of kind: PageCursor.Kind) throws(WebError) -> PagePosition {
        guard let text = try query.single("after") else { return .first }
        do {
            return .after(try PageCursor(text: text, kind: kind))
        } catch {
            throw WebError(.invalid, "This cursor is not one of ours for this order.", field: "after")
        }
    }
}
