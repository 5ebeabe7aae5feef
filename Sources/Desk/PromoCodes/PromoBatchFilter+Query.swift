import Billing
package import HTTP
package import Storage

extension PromoBatchFilter {
    /// Reads the list's state from a URL.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            state: query.choice("state", PromoTerms.State.self),
            channel: query.value("channel") { $0.unicodeScalars.count > 50 ? nil : $0 },
            position: try query.position(of: .promoBatchMade)
        )
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String {
        var query = QueryText()
        query.add("state", state?.rawValue)
        query.add("channel", channel)
        query.add(position)
        return DashboardPath.promoCodes + query.text
    }
}

extension PromoRedemptionFilter {
    package init(of batch: PromoBatch.ID, _ query: inout QueryReader) throws(InvalidCursor) {
        self.init(of: batch, position: try query.position(of: .promoRedeemed))
    }

    /// The address of the batch's page with this page of its redemptions.
    package func path(from: String?) -> String {
        var query = QueryText()
        query.add(position)
        if let from { query.add("from", from) }
        return DashboardPath.promoBatch(batch) + query.text
    }
}
