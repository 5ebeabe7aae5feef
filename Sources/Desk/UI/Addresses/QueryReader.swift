import Billing
package import HTTP
package import Storage

/// Reads a page's state from the query of its address, and keeps the parts that the page does not understand.
package struct QueryReader {
    private let pairs: [(name: String, value: String)]
    private var known: Set<String> = []
    private var unknownValues: [IgnoredParameter] = []

    package init(_ pairs: [(name: String, value: String)]) {
        self.pairs = pairs
    }

    /// Returns the text of a name, whatever it is.
    package mutating func text(_ name: String) -> String? {
        known.insert(name)
        return QueryText.value(of: name, in: pairs)
    }

    /// nil where nothing stands, and where what stands there is no value of the name: then it is ignored, and kept.
    package mutating func value<Value>(_ name: String, _ read: (String) -> Value?) -> Value? {
        guard let text = text(name), !text.isEmpty else { return nil }
        let value = read(text)
        if value == nil { unknownValues.append(.value(text, of: name)) }
        return value
    }

    /// One of a few words, in any letter case: the API and files write many of them otherwise than addresses do.
    mutating func choice<Value>(_ name: String, _ type: Value.Type = Value.self) -> Value?
    where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
        value(name) { text in
            let word = text.lowercased()
            return Value.allCases.first { $0.rawValue.lowercased() == word }
        }
    }

    /// A store as addresses and files name it, or as the API does (`APPLE_IAP`).
    mutating func store(_ name: String) -> Store? {
        value(name) { text in
            let word = text.lowercased()
            return Store.allCases.first { $0.rawValue == word } ?? Store(source: text.uppercased())
        }
    }

    mutating func day(_ name: String) -> BusinessDay? { value(name) { BusinessDay($0) } }

    mutating func currency(_ name: String) -> Currency? { value(name) { Currency($0) } }

    /// `yes` for a box that is ticked.
    mutating func isYes(_ name: String) -> Bool { value(name) { $0 == "yes" ? true : nil } ?? false }

    mutating func position(of kind: PageCursor.Kind) throws(InvalidCursor) -> PagePosition {
        known.formUnion(["after", "before"])
        return try QueryText.position(in: pairs, kind: kind)
    }

    /// nil where no columns of the list are named. A name that the list does not have is ignored, and kept.
    mutating func columns(of list: ListName) -> ColumnChoice? {
        let choice = value("columns") { ColumnChoice(text: $0, of: list) }
        if choice != nil, let text = text("columns") {
            let unknown = ColumnChoice.unknown(in: text, of: list)
            if !unknown.isEmpty { unknownValues.append(.value(unknown.joined(separator: "."), of: "columns")) }
        }
        return choice
    }

    /// Allows the names that a page takes besides its state.
    mutating func allow(_ names: [String]) { known.formUnion(names) }

    /// The names that nobody asked for, then the values that nobody could read; each once.
    package var ignored: [IgnoredParameter] {
        var ignored: [IgnoredParameter] = []
        for (name, _) in pairs where !known.contains(name) && !ignored.contains(.name(name)) {
            ignored.append(.name(name))
        }
        return ignored + unknownValues
    }
}

/// A state of a page that its address says. An unreadable value falls back to its default; only a cursor that is not ours is
/// an error.
package protocol QueryReadable {
    init(_ query: inout QueryReader) throws(InvalidCursor)
}

extension QueryReadable {
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        var reader = QueryReader(query)
        try self.init(&reader)
    }
}

extension OrderFilter: QueryReadable {}
extension CustomerFilter: QueryReadable {}
extension SubscriptionFilter: QueryReadable {}
extension RefundFilter: QueryReadable {}
extension NotificationFilter: QueryReadable {}
extension ReconciliationFilter: QueryReadable {}
extension BillFilter: QueryReadable {}
extension WaitingCheckoutFilter: QueryReadable {}
extension BillDifferenceFilter: QueryReadable {}
extension ExternalPurchaseFilter: QueryReadable {}
extension ExtensionFilter: QueryReadable {}
extension SeatFilter: QueryReadable {}
extension PromoBatchFilter: QueryReadable {}
extension AuditFilter: QueryReadable {}
extension LedgerFilter: QueryReadable {}
extension AccessFilter: QueryReadable {}
extension SubscriberRowsFilter: QueryReadable {}
extension SpanFilter: QueryReadable {}
extension Timeline.Filter: QueryReadable {}
extension RevenueView: QueryReadable {}
extension SubscribersView: QueryReadable {}
extension CohortsView: QueryReadable {}
extension UsageView: QueryReadable {}
extension NearLimitFilter: QueryReadable {}
extension HealthView: QueryReadable {}
