import APITypes
import Billing
import Desk
import Foundation
import HTTP
import Storage
import Words

/// A full page of orders as the database would give it, and who looks at it.
enum SampleOrders {
    static let filter = OrderFilter(status: .completed)
    static let now = Date(timeIntervalSince1970: 1_795_228_800)

    static let list = ListPage(
        rows: (0..<25).compactMap(row),
        total: .moreThanCounted,
        rowsBefore: 5_000,
        hasPrevious: true,
        hasNext: true
    )

    static let viewer = Viewer(
        name: "Lin Wei",
        role: .admin,
        strings: Strings(.english),
        csrfToken: String(repeating: "5e", count: 64),
        theme: .system,
        shortcuts: true,
        app: ViewerApp(slug: "readmigo", name: "Readmigo"),
        apps: [ViewerApp(slug: "readmigo", name: "Readmigo")],
        zone: .named("Asia/Shanghai"),
        failedNotifications: 2
    )

    static var page: OrderIndexPage {
        OrderIndexPage(list: list, filter: filter, viewer: viewer, now: now)
    }

    /// As programs get them.
    static var resources: OrderPage {
        let orders = list.rows.map { row in
            APITypes.Order(
                id: row.id,
                orderNumber: row.number,
                userId: row.customerID.uuid,
                productId: "com.example.pro.monthly",
                productName: row.productName,
                planType: row.planCode,
                amount: Amount("198.00") ?? .zero,
                currency: row.currency?.code ?? "",
                status: "COMPLETED",
                source: "APPLE_IAP",
                appleOriginalTransactionId: "410001234567890",
                appleTransactionId: "410001234567891",
                appleEnvironment: "PRODUCTION",
                storefront: "CHN",
                quantity: 1,
                offerType: nil,
                offerIdentifier: nil,
                isTrialPeriod: false,
                startedAt: row.purchasedAt,
                expiresAt: row.purchasedAt.addingTimeInterval(2_592_000),
                refundedAmount: .zero,
                refundedAt: nil,
                creditedAmount: .zero,
                supersededAt: nil,
                createdAt: row.purchasedAt,
                updatedAt: row.purchasedAt,
                transactions: nil
            )
        }
        return OrderPage(orders: orders, next: "AQAAAZMfOnB")
    }

    private static func row(_ index: Int) -> ListedOrder? {
        guard let currency = Currency("CNY"),
            let id = UUID(uuidString: "01931f3a-7000-7000-8000-0000000000\(10 + index)")
        else { return nil }
        let name = ["李娜 17", "Ana Smith 201", "Chloë García 8", "O'Neil & Co 99", nil][index % 5]
        return ListedOrder(
            id: id,
            number: "ORD-20261121-0\(100_000 + index)",
            status: .completed,
            store: .apple,
            environment: index % 20 == 7 ? .sandbox : .production,
            productName: index.isMultiple(of: 2) ? "Premium yearly" : "Pro monthly",
            planCode: index.isMultiple(of: 2) ? "PREMIUM" : "PRO",
            amount: index.isMultiple(of: 2) ? 19_800 : 1_800,
            currency: currency,
            worth: index.isMultiple(of: 2) ? 19_800 : 1_800,
            purchasedAt: now.addingTimeInterval(-180 - Double(index) * 437),
            customerID: Customer.ID(id),
            customerKey: "9c2f1b7e-5a40-4a4e-8d0c-6f1f3c1f0a\(10 + index)",
            customerName: name.map { Personal($0) },
            customerEmail: name.map { _ in Personal("user\(index * 97)@example\(index).com") }
        )
    }
}
