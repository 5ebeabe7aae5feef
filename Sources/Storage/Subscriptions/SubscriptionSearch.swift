import Billing
import Postgres

/// The condition by which a search text narrows the list of subscriptions, `s` in the statement.
///
/// Three letters or digits in a row are searched anywhere in the original transaction id, and in the ids, name and e-mail address of
/// the customer; a shorter text only as a customer's name, or as the whole transaction id.
struct SubscriptionSearch {
    let text: SearchText
    let app: App.ID
    let seesPersonalData: Bool

    init(_ text: String, app: App.ID, seesPersonalData: Bool) {
        self.text = SearchText(text: text)
        self.app = app
        self.seesPersonalData = seesPersonalData
    }

    /// A condition.
    var condition: Query {
        if let key = text.uuid { return "(s.id = \(key) OR \(customers))" }
        if text.hasTrigrams { return "(\(Self.key) LIKE search_key(\("%\(text.escaped)%")) OR \(customers))" }
        return "(\(exactly) OR \(customers))"
    }

    /// The one whose original transaction id it is.
    var exactly: Query {
        """
        (s.store IN ('apple', 'google', 'wechat', 'alipay') AND s.environment IN ('production', 'sandbox')
            AND s.original_transaction_id = \(text.text))
        """
    }

    /// As the index has it.
    static let key: Query = "search_key(s.original_transaction_id)"

    private var customers: Query {
        """
        s.customer_id = ANY (ARRAY(
            \(MatchingCustomers(text.text, app: app, seesPersonalData: seesPersonalData).newest)))
        """
    }
}
