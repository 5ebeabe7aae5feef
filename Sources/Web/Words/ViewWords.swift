import Storage

extension ListName {
    func title(_ words: Words) -> StaticString {
        switch self {
        case .orders: words.ordersTitle
        case .customers: words.customersTitle
        case .subscriptions: words.subscriptionsTitle
        case .refunds: words.refundsTitle
        case .notifications: words.notificationsTitle
        }
    }
}

extension ListColumn {
    /// As the heading of the list has it.
    func name(in list: ListName, _ words: Words) -> StaticString {
        switch (self, list) {
        case (.amount, _): words.partsAmount
        case (.appID, _): words.customersAppId
        case (.attempts, _): words.notificationsAttempts
        case (.created, _): words.partsCreated
        case (.customer, _): words.partsCustomer
        case (.deadline, _): words.refundsColumnDeadline
        case (.end, _): words.subscriptionsPaidUntil
        case (.error, _): words.notificationsLastError
        case (.firstSeen, _): words.customersFirstSeen
        case (.kind, _): words.refundsColumnKind
        case (.lastOrder, _): words.customersLastOrder
        case (.lastPurchase, _): words.customersLastPurchase
        case (.order, _): words.partsOrder
        case (.plan, .customers): words.customersPlanNow
        case (.plan, _): words.ordersPlan
        case (.product, _): words.ordersProduct
        case (.renewal, _): words.subscriptionsRenewal
        case (.requested, _): words.refundsColumnRequested
        case (.requester, _): words.refundsColumnRequester
        case (.started, _): words.subscriptionsStarted
        case (.status, _): words.partsStatus
        case (.store, _): words.partsStore
        case (.uuid, _): words.notificationsUuid
        }
    }
}

/// Views in words.
enum ViewWords {
    /// What was just done.
    static func done(_ action: String, _ words: Words) -> String? {
        switch action {
        case "view.save": words.viewsDoneSave.description
        case "view.change": words.viewsDoneChange.description
        case "view.delete": words.viewsDoneDelete.description
        case _: nil
        }
    }

    /// The columns that are shown, in the list's order.
    static func columns(_ choice: ColumnChoice, _ words: Words) -> String {
        let names = choice.list.columns.filter(choice.columns.contains)
        guard !names.isEmpty else { return words.viewsNoColumns.description }
        return words.list(names.map { $0.name(in: choice.list, words).description })
    }
}
