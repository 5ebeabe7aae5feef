import Billing
import Storage

/// The filters that narrow the list of orders, in words and as chips.
struct AppliedOrderFilters {
    /// "refunded", "“lina”", "customer 李娜"
    private(set) var words: [String] = []
    private(set) var chips: [FilterChip] = []

    /// - Parameter customer: what to call the customer, if a row tells.
    init(_ filter: OrderFilter, customer: String?) {
        if let status = filter.status {
            let text = StatusText(status)
            add(text.lowercased, "Status: \(text.word)", filter.changed { $0.status = nil })
        }
        if !filter.search.isEmpty {
            add("“\(filter.search)”", "Search: “\(filter.search)”", filter.changed { $0.search = "" })
        }
        if let id = filter.customer {
            let name = customer ?? id.description
            add("customer \(name)", "Customer: \(name)", filter.changed { $0.customer = nil })
        }
    }

    static func name(of row: OrderList.Row?, _ viewer: Viewer) -> String? {
        row.map { row in
            let (name, email) = viewer.seesPersonalData ? (row.customerName, row.customerEmail) : (nil, nil)
            return name ?? email ?? row.customerKey
        }
    }

    private mutating func add(_ words: String, _ chip: String, _ without: OrderFilter) {
        self.words.append(words)
        chips.append(FilterChip(label: chip, removeHref: without.path))
    }
}
