public import Foundation

/// A note that staff wrote about a customer.
public struct Note: Resource {
    public var id: UUID
    public var author: String
    public var text: String
    public var createdAt: Date

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("author", \.author, "Their name as it was then.")
        Field("text", \.text)
        Field("createdAt", \.createdAt)
    }

    public init(id: UUID, author: String, text: String, createdAt: Date) {
        self.id = id
        self.author = author
        self.text = text
        self.createdAt = createdAt
    }
}

/// The request body of `POST /admin/customers/{id}/notes`.
public struct NewNote: Codable, Hashable, Sendable {
    public var text: String?

    public static let body = RequestBody(
        required: [
            .init("text", \Self.text, .length(1, 2_000), .example(.string("Prefers to be called in the morning.")))
        ]
    )

    public init(text: String?) {
        self.text = text
    }
}

/// A page of notes.
public struct NotePage: Resource {
    public var notes: [Note]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("notes", \.notes)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(notes: [Note], next: String?) {
        self.notes = notes
        self.next = next
    }
}
