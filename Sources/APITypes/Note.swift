public import Foundation

/// What somebody wrote down about a customer.
public struct Note: Codable, Hashable, Sendable {
    public var id: UUID
    /// Their name as it was then.
    public var author: String
    public var text: String
    public var createdAt: Date

    public init(id: UUID, author: String, text: String, createdAt: Date) {
        self.id = id
        self.author = author
        self.text = text
        self.createdAt = createdAt
    }
}

/// What is written with `POST /admin/customers/{id}/notes`.
public struct NewNote: Codable, Hashable, Sendable {
    /// 1 to 2,000 characters.
    public var text: String?

    public init(text: String?) {
        self.text = text
    }
}

/// A page of notes.
public struct NotePage: Codable, Hashable, Sendable {
    public var notes: [Note]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(notes: [Note], next: String?) {
        self.notes = notes
        self.next = next
    }
}
