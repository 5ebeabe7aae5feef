import Billing
package import HTTP
package import Storage

extension Timeline.Filter {
    /// Reads the timeline's state from a customer page's URL.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            part: query.choice("show", Timeline.Part.self) ?? .all,
            position: try query.position(of: .timeline)
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
