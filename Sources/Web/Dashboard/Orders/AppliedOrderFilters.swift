import Billing
import Storage

/// The filters that narrow the list of orders, in words and as chips.
struct AppliedOrderFilters {
    /// "refunded", "“lina”", "customer 李娜"
    private(set) var words: [String] = []
    private(set) var chips: [FilterChip] = []

    /// - Parameter customer: what to call the customer.
    init(_ filter: OrderFilter, customer: String?, _ words: Words) {
        if let status = filter.status {
            let text = StatusText(status, words)
            let chip = words.ordersFilterStatus(status: text.word.description)
            add(text.within.description, chip, filter.changed { $0.status = nil })
        }
        if !filter.search.isEmpty {
            let chip = words.ordersFilterSearch(text: filter.search)
            add(words.partsQuoted(text: filter.search), chip, filter.changed { $0.search = "" })
        }
        if let id = filter.customer {
            let name = customer ?? id.description
            let chip = words.ordersFilterCustomer(customer: name)
            add(words.ordersFilterCustomerWithin(customer: name), chip, filter.changed { $0.customer = nil })
        }
    }

    private mutating func add(_ words: String, _ chip: String, _ without: OrderFilter) {
        self.words.append(words)
        chips.append(FilterChip(label: chip, removeHref: without.path))
    }
}
