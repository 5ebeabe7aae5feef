import Storage

/// The customers that a text names: lines of one each, or a file with a line of column names, such as our own exports.
package struct BulkLines: Sendable {
    package private(set) var customers: [String] = []
    /// The reason why nothing is read.
    package private(set) var problem: FieldProblem.Kind?

    /// The columns that say who a customer is, the surest first. A cell that is empty leaves it to the next.
    private static let naming = [
        "customer_id", "customer id", "customer", "customer_key", "customer key", "key", "external_id", "external id",
        "email", "e-mail", "input", "id",
    ]

    /// The other columns of our own files.
    package static let others: Set<String> = [
        "line", "result", "reason", "plan_before", "until_before", "plan_after", "until_after", "name", "plan_now",
        "last_order", "last_purchase_at", "store", "has_refunds", "first_seen_at", "original_transaction_id", "product",
        "plan", "state", "environment", "started_at", "period_starts_at", "period_ends_at", "renews", "renewal_price",
        "renewal_currency", "cancelled_at", "ended_at", "is_assigned", "seats", "refunded_seats", "renewal_seats",
        "number", "status", "kind", "amount", "currency", "refunded", "refunded_currency", "credited",
        "credited_currency", "transaction_id", "storefront", "purchased_at", "refunded_at", "superseded_at", "quantity",
        "occurred_at", "recorded_at", "rate", "converted_amount", "converted_currency", "payer", "order", "country",
        "at", "change", "subscription_id", "grant_id", "by", "access_from", "access_until", "price", "is_trial",
        "is_family_shared", "month", "mrr", "day", "movement", "count", "first_seen", "net", "state_now",
        "access_ends_at", "refund_is_estimated", "used_seats", "requested", "requested_currency", "approved",
        "approved_currency", "processed", "processed_currency", "payout_state", "category", "requested_at",
        "decided_at", "finished_at",
    ]

    /// Reads a text. A byte order mark, a line `sep=;` and the apostrophes that our files have for spreadsheets are taken off.
    package init(_ text: String) {
        var bytes = Array(text.utf8)[...]
        if bytes.starts(with: CSVText.byteOrderMark) { bytes = bytes.dropFirst(3) }
        var separator: UInt8?
        if bytes.count >= 5, bytes.starts(with: "sep=".utf8),
            bytes.dropFirst(5).first.map({ $0 == 10 || $0 == 13 }) ?? true
        {
            separator = bytes[bytes.startIndex + 4]
            bytes = bytes.dropFirst(5)
        }
        separator = separator ?? DelimitedText.separator(of: bytes)
        let named = DelimitedText(bytes, separator: separator).rows
        guard let first = named.first else { return }
        let names = first.cells.map { $0.lowercased() }
        if names.contains(where: Self.naming.contains) {
            read(named.dropFirst(), under: names)
        } else if names.count > 1 {
            problem = .noCustomerColumn
        } else {
            read(named, under: ["customer"])
        }
    }

    private mutating func read(_ rows: some Sequence<DelimitedText.Row>, under names: [String]) {
        for (index, name) in names.enumerated() where !name.isEmpty {
            if !Self.naming.contains(name), !Self.others.contains(name) { problem = .unknownColumn(name) }
            if names[..<index].contains(name) { problem = .repeatedColumn(name) }
            guard problem == nil else { return }
        }
        let columns = Self.naming.compactMap { names.firstIndex(of: $0) }
        for row in rows {
            let cells = columns.lazy.filter { $0 < row.cells.count }.map { row.cells[$0] }
            guard let cell = cells.first(where: { !$0.isEmpty }) else { continue }
            guard !SpreadsheetText.isShortenedNumber(cell) else {
                (customers, problem) = ([], .shortenedNumber(cell, line: row.line))
                return
            }
            customers.append(SpreadsheetText.restored(cell))
        }
    }
}
