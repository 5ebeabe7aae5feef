import Billing
import HTTP
import Storage
import Words

/// The filters that narrow the list of orders, in words and as chips.
struct AppliedOrderFilters {
    /// "refunded", "“lina”", "customer 李娜"
    private(set) var strings: [String] = []
    private(set) var chips: [FilterChip] = []

    /// - Parameter customer: the customer's name.
    init(_ filter: OrderFilter, customer: String?, _ strings: Strings) {
        if let status = filter.status {
            let text = StatusText(status, strings)
            let chip = strings.ordersFilterStatus(status: text.word.description)
            add(text.within.description, chip, filter.changed { $0.status = nil })
        }
        if !filter.search.isEmpty {
            let chip = strings.ordersFilterSearch(text: filter.search)
            add(strings.partsQuoted(text: filter.search), chip, filter.changed { $0.search = "" })
        }
        if let id = filter.customer {
            let name = customer ?? id.description
            let chip = strings.ordersFilterCustomer(customer: name)
            add(strings.ordersFilterCustomerWithin(customer: name), chip, filter.changed { $0.customer = nil })
        }
    }

    private mutating func add(_ strings: String, _ chip: String, _ without: OrderFilter) {
        self.strings.append(strings)
        chips.append(FilterChip(label: chip, removeHref: without.path))
    }
}
