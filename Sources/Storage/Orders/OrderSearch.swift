import Billing
import Postgres

/// The condition by which a search text narrows the list of orders.
///
/// Three letters or digits in a row are searched anywhere in an order's number, transaction ids and product, and in its customer's
/// ids, name and e-mail address, by trigram indexes. Two find a customer's whole name (李娜). If more than 1,000 customers match, the
/// newest are used, and the page says so. The beginning of an order number is searched among the numbers of those days, and a part of
/// one with its dash (215-0042) among the numbers that were issued; less than two characters only find the order with exactly that
/// number or transaction id.
struct OrderSearch {
    let text: String
    let app: App.ID
    /// True if names and e-mail addresses may be searched; otherwise they could be guessed letter by letter.
    let seesPersonalData: Bool

    /// ` AND …`
    var condition: Query {
        if let prefix = OrderNumberPrefix(text) { return " AND \(begins(with: prefix))" }
        let search = SearchText(text: text)
        return switch (search.longestWord, seesPersonalData) {
        case (3..., true): " AND (\(parts) OR o.customer_id = ANY (ARRAY(\(customers.newest))))"
        case (3..., false): " AND \(parts)"
        case (2, true): " AND (\(exactly) OR \(customer(called: "% \(search.escaped) %")))"
        case _: " AND \(exactly)"
        }
    }

    /// True if more customers match than are looked at.
    func isCut(_ reader: Reader) async throws -> Bool {
        guard seesPersonalData, OrderNumberPrefix(text) == nil, SearchText(text: text).hasTrigrams else { return false }
        return try await customers.isCut(reader)
    }

    /// The keys of the order (or, for two stores with one id, orders) that the text names exactly.
    var exactKeys: Query {
        """
        SELECT id FROM orders WHERE app_id = \(app) AND number = upper(\(text))
        UNION ALL
        SELECT id FROM orders WHERE app_id = \(app) AND store IN ('apple', 'google', 'wechat', 'alipay')
            AND environment IN ('production', 'sandbox') AND transaction_id = \(text) AND joined_into IS NULL
        UNION ALL
        SELECT order_id FROM order_aliases WHERE app_id = \(app) AND store IN ('apple', 'google', 'wechat', 'alipay')
            AND environment IN ('production', 'sandbox') AND transaction_id = \(text)
        """
    }

    private var exactly: Query { "o.id = ANY (ARRAY(\(exactKeys)))" }

    private func begins(with prefix: OrderNumberPrefix) -> Query {
        """
        o.number LIKE \(prefix.text + "%") AND o.purchased_at >= \(prefix.days.lowerBound)
        AND o.purchased_at < \(prefix.days.upperBound)
        """
    }

    private var parts: Query {
        if let part = OrderNumberPart(text) { return "(\(part.condition(app: app)))" }
        let pattern = "%\(SearchText(text: text).escaped)%"
        return """
            (o.search LIKE search_key(\(pattern)) OR o.id = ANY (ARRAY(
                SELECT order_id FROM order_aliases
                WHERE app_id = \(app) AND search_key(transaction_id) LIKE search_key(\(pattern)))))
            """
    }

    private var customers: MatchingCustomers { MatchingCustomers(text, app: app, seesPersonalData: seesPersonalData) }

    private func customer(called pattern: String) -> Query {
        """
        o.customer_id = ANY (ARRAY(
            SELECT coalesce(merged_into, id) FROM customers WHERE app_id = \(app) AND search LIKE search_key(\(pattern))
            ORDER BY created_at DESC, id DESC LIMIT 1000))
        """
    }
}
