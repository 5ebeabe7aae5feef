import Billing
package import Storage

extension Timeline.Filter {
    /// Reads the timeline's state from a customer page's URL.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        self.init(
            part: QueryText.value(of: "show", in: query).flatMap(Timeline.Part.init(rawValue:)) ?? .all,
            position: try QueryText.position(in: query, kind: .timeline)
        )
    }

    /// The address of the customer's page with this part of the timeline.
    ///
    /// - Parameter from: the page to go back to.
    func path(of customer: Customer.ID, from: String?) -> String {
        var query = QueryText()
        query.add("show", part == .all ? nil : part.rawValue)
        query.add(position)
        query.add("from", from)
        return DashboardPath.customer(customer) + query.text
    }
}
