import Billing
import Foundation
import Storage
import Web

extension OrderIndexPage {
    /// The first of many pages, as an admin sees it.
    static let sample = sample(in: .english)

    static func sample(in language: Language) -> OrderIndexPage {
        OrderIndexPage(
            list: Sample.orders(),
            filter: OrderFilter(),
            viewer: Sample.viewer(in: language),
            now: Sample.now
        )
    }

    /// Nothing is filtered and nothing is there.
    static let emptySample = OrderIndexPage(
        list: Sample.noOrders,
        filter: OrderFilter(),
        viewer: Sample.viewer(apps: 1, failed: 0),
        now: Sample.now
    )

    /// Filters that nothing matches.
    static let noMatchSample = noMatchSample(in: .english)

    static func noMatchSample(in language: Language) -> OrderIndexPage {
        OrderIndexPage(
            list: Sample.noOrders,
            filter: OrderFilter(status: .refunded, search: "<b>\"李娜\"&"),
            viewer: Sample.viewer(in: language),
            now: Sample.now
        )
    }
}

extension Sample {
    static let noOrders = OrderList(rows: [], total: .exact(0), rowsBefore: 0, hasPrevious: false, hasNext: false)

    static func orders(
        count: Int = 25,
        before: Int = 0,
        total: RowCount = .exact(1_284),
        hasNext: Bool = true
    ) -> OrderList {
        OrderList(
            rows: (0..<count).map { orderRow($0 + before) },
            total: total,
            rowsBefore: before,
            hasPrevious: before > 0,
            hasNext: hasNext
        )
    }

    static func orderRow(_ index: Int) -> OrderList.Row {
        let (name, email, key) = customers[index % customers.count]
        let products = [
            ("Premium yearly", "PREMIUM", 19_800), ("Pro yearly", "PRO", 12_800), ("Pro monthly", "PRO", 1_800),
            ("Premium monthly", "PREMIUM", 2_800), ("Kombin Premium haftalık", "premium", 4_999),
        ]
        let (product, plan, amount) = products[index % products.count]
        let statuses: [OrderStatus] = [
            .completed, .completed, .partiallyRefunded, .completed, .refunded, .pending, .completed, .failed,
            .cancelled,
        ]
        return OrderList.Row(
            id: uuid(index),
            number: "ORD-20261121-\(1_284 - index)",
            status: statuses[index % statuses.count],
            store: Store.allCases[index % 3 == 2 ? 2 : 0],
            environment: index % 6 == 5 ? .sandbox : .production,
            productName: product,
            planCode: plan,
            amount: Int64(index == 3 ? 1_234_567_800 : amount),
            currency: currency(index % 5 == 4 ? "TRY" : index % 11 == 10 ? "JPY" : "CNY"),
            purchasedAt: now.addingTimeInterval(-180 - Double(index) * 437),
            customerID: Customer.ID(uuid(1_000 + index)),
            customerKey: key,
            customerName: name,
            customerEmail: email
        )
    }
}
