package import Billing

/// A limit of which a customer has used 80 % or more.
package struct NearLimit: Sendable {
    package var customer: OrderDetails.Customer
    package var feature: CatalogFeature
    /// The window of which the greatest share is used, with the limit that holds.
    package var usage: WindowUsage
    let place: NearLimitPlace

    package init(customer: OrderDetails.Customer, feature: CatalogFeature, usage: WindowUsage) {
        self.init(
            customer: customer,
            feature: feature,
            usage: usage,
            place: NearLimitPlace(.never, feature: 0, customer.id)
        )
    }

    init(customer: OrderDetails.Customer, feature: CatalogFeature, usage: WindowUsage, place: NearLimitPlace) {
        (self.customer, self.feature, self.usage, self.place) = (customer, feature, usage, place)
    }
}

/// The filter and the page of a list of customers near a limit: those first whose windows end first.
package struct NearLimitFilter: ListFilter, Hashable {
    /// The code of the only feature; nil for all.
    package var feature: String?
    package var position: PagePosition

    package init(feature: String? = nil, position: PagePosition = .first) {
        (self.feature, self.position) = (feature, position)
    }

    package func cursor(at row: NearLimit, rowsBefore: Int) -> PageCursor { row.place.cursor(rowsBefore: rowsBefore) }
}

/// A place in that list: by the end of the window, the feature's place in the catalogue, and the customer.
struct NearLimitPlace: Sendable, Hashable {
    let until: BusinessDay
    /// From 0.
    let feature: Int
    let customer: Customer.ID

    init(_ until: BusinessDay, feature: Int, _ customer: Customer.ID) {
        (self.until, self.feature, self.customer) = (until, feature, customer)
    }

    /// A cursor comes from an address: what no place has is the nearest that one can have.
    init(_ cursor: PageCursor) {
        let (day, feature) = cursor.value.quotientAndRemainder(dividingBy: Self.mostFeatures)  // safe: by a constant
        let known = min(max(day, 0), Int64(BusinessDay.never.number))
        self.init(
            BusinessDay(number: Int(clamping: known)),
            feature: Int(clamping: max(feature, 0)),
            Customer.ID(cursor.id)
        )
    }

    func cursor(rowsBefore: Int) -> PageCursor {
        let value = Int64(until.number) * Self.mostFeatures + Int64(feature)  // safe: days are of 32 bits
        return PageCursor(kind: .nearLimit, value: value, id: customer.uuid, rowsBefore: rowsBefore)
    }

    private static let mostFeatures: Int64 = 1_000_000
}
