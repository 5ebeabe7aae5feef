/// What the way back is called.
enum BackText {
    /// - Parameter otherwise: for a page that is not one of these.
    static func name(of path: String, otherwise: StaticString, _ words: Words) -> StaticString {
        let places: [(String, StaticString, StaticString)] = [
            (DashboardPath.orders, words.ordersTitle, words.listsOrder),
            (DashboardPath.customers, words.customersTitle, words.partsCustomer),
            (DashboardPath.subscriptions, words.subscriptionsTitle, words.listsSubscription),
            (DashboardPath.notifications, words.notificationsTitle, words.listsNotification),
            (DashboardPath.find, words.findTitle, words.findTitle),
        ]
        for (start, list, one) in places where path.hasPrefix(start) {
            return path.dropFirst(start.count).hasPrefix("/") ? one : list
        }
        return otherwise
    }
}
