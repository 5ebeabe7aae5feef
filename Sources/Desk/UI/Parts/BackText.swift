import HTTP
import Words

/// The name of the way back.
enum BackText {
    /// - Parameter otherwise: for a page that is not one of these.
    static func name(of path: String, otherwise: StaticString, _ strings: Strings) -> StaticString {
        let places: [(String, StaticString, StaticString)] = [
            (DashboardPath.orders, strings.ordersTitle, strings.listsOrder),
            (DashboardPath.customers, strings.customersTitle, strings.partsCustomer),
            (DashboardPath.subscriptions, strings.subscriptionsTitle, strings.listsSubscription),
            (DashboardPath.notifications, strings.notificationsTitle, strings.listsNotification),
            (DashboardPath.find, strings.findTitle, strings.findTitle),
        ]
        for (start, list, one) in places where path.hasPrefix(start) {
            return path.dropFirst(start.count).hasPrefix("/") ? one : list
        }
        return otherwise
    }
}
