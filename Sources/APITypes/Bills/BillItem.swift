public import Foundation

/// A store's bill of a day, as `GET /admin/bills` shows it.
public struct BillItem: Resource {
    public var id: UUID
    public var source: String
    public var environment: String
    public var day: String
    public var status: String
    public var rows: Int
    public var differences: Int
    public var open: Int
    public var unreadable: [String]
    public var problem: String?
    public var askedAt: Date?
    public var fetchedAt: Date?
    public var nextAt: Date?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("source", \.source, .oneOf(Vocabulary.sources))
        Field("environment", \.environment, .oneOf(Vocabulary.environments))
        Field("day", \.day, "By the store's calendar.")
        Field(
            "status",
            \.status,
            "`INCOMPLETE` has rows missing or unreadable, so that nothing is taken to be missing in it; `MISSING` was never made.",
            .oneOf(Vocabulary.billStatuses)
        )
        Field("rows", \.rows)
        Field("differences", \.differences, "All that were ever found.")
        Field("open", \.open, "Of these, those that nothing explains and nobody closed.")
        Field("unreadable", \.unreadable, "Lines that could not be read, each with its reason; the first 50.")
        Field("problem", \.problem, "Why it could not be fetched the last time, in the store's words.")
        Field("askedAt", \.askedAt, "When the store was last asked for it.")
        Field("fetchedAt", \.fetchedAt, "When it was last fetched.")
        Field("nextAt", \.nextAt, "When the store is asked for it next; null where nothing is left to be asked.")
    }

    public init(
        id: UUID,
        source: String,
        environment: String,
        day: String,
        status: String,
        rows: Int,
        differences: Int,
        open: Int,
        unreadable: [String],
        problem: String?,
        askedAt: Date?,
        fetchedAt: Date?,
        nextAt: Date?
    ) {
        self.id = id
        self.source = source
        self.environment = environment
        self.day = day
        self.status = status
        self.rows = rows
        self.differences = differences
        self.open = open
        self.unreadable = unreadable
        self.problem = problem
        self.askedAt = askedAt
        self.fetchedAt = fetchedAt
        self.nextAt = nextAt
    }
}

/// A page of them.
public struct BillPage: Resource {
    public var bills: [BillItem]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("bills", \.bills)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(bills: [BillItem], next: String?) {
        self.bills = bills
        self.next = next
    }
}
