import Billing
import Desk
import Foundation
import Storage
import Web

extension OrderIndexPage {
    /// The first page of many, as an admin sees it.
    static let sample = sample(in: .english)

    static func sample(in language: Language) -> OrderIndexPage {
        OrderIndexPage(
            list: Sample.orders(),
            filter: OrderFilter(),
            viewer: Sample.viewer(in: language),
            now: Sample.now
        )
    }

    /// Returns the page with an own view open, with fewer columns, beside one that somebody shares.
    static func viewSample(in language: Language) -> OrderIndexPage {
        let (me, other) = (Sample.viewOwner(1), Sample.viewOwner(2))
        let columns = ColumnChoice([.amount, .status], of: .orders)
        func view(_ number: UInt8, _ name: String, _ query: String, _ owner: Staff.ID) -> SavedView {
            SavedView(
                id: SavedView.ID(Sample.viewOwner(number + 10).uuid),
                list: .orders,
                name: name,
                query: query,
                columns: columns,
                isShared: owner == other,
                owner: owner,
                ownerName: "Ebru <Şahin>"
            )
        }
        var filter = OrderFilter(status: .refunded)
        filter.columns = columns
        return OrderIndexPage(
            list: Sample.orders(count: 2, total: .exact(2), hasNext: false),
            filter: filter,
            settings: ListSettings(
                staff: me,
                views: [view(1, "Refunds & more", "?status=refunded", me), view(2, "待处理", "?status=pending", other)]
            ),
            viewer: Sample.viewer(in: language),
            now: Sample.now
        )
    }

    /// The page without filters and without orders.
    static let emptySample = OrderIndexPage(
        list: Sample.noOrders,
        filter: OrderFilter(),
        viewer: Sample.viewer(apps: 1, failed: 0),
        now: Sample.now
    )

    /// The page with filters that no order matches.
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
    static func viewOwner(_ number: UInt8) -> Staff.ID {
        Staff.ID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }

    static let noOrders = ListPage<ListedOrder>(rows: [], total: .exact(0))

    static func orders(
        count: Int = 25,
        before: Int = 0,
        total: RowCount = .exact(1_284),
        hasNext: Bool = true
    ) -> ListPage<ListedOrder> {
        ListPage(
            rows: (0..<count).map { orderRow($0 + before) },
            total: total,
            rowsBefore: before,
            hasPrevious: before > 0,
            hasNext: hasNext
        )
    }

    static func orderRow(_ index: Int) -> ListedOrder {
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
        return ListedOrder(
            id: uuid(index),
            number: "ORD-20261121-\(1_284 - index)",
            status: statuses[index % statuses.count],
            store: Store.allCases[index % 3 == 2 ? 2 : 0],
            environment: index % 6 == 5 ? .sandbox : .production,
            productName: product,
            planCode: plan,
            amount: Int64(index == 3 ? 1_234_567_800 : amount),
            currency: currency(index % 5 == 4 ? "TRY" : index % 11 == 10 ? "JPY" : "CNY"),
            worth: Int64(amount),
            purchasedAt: now.addingTimeInterval(-180 - Double(index) * 437),
            customerID: Customer.ID(uuid(1_000 + index)),
            customerKey: key,
            customerName: name.map { Personal($0) },
            customerEmail: email.map { Personal($0) }
        )
    }
}
