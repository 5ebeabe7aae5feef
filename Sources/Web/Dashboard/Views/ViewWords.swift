import Storage

extension ListName {
    func title(_ words: Words) -> StaticString {
        switch self {
        case .orders: words.ordersTitle
        case .customers: words.customersTitle
        case .subscriptions: words.subscriptionsTitle
        case .refunds: words.refundsTitle
        case .notifications: words.notificationsTitle
        case .audit: words.auditTitle
        }
    }
}

extension ListColumn {
    /// As the heading of the list has it.
    func name(in list: ListName, _ words: Words) -> StaticString {
        switch (self, list) {
        case (.actor, _): words.auditWho
        case (.amount, _): words.partsAmount
        case (.app, _): words.auditApp
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
        case (.object, _): words.auditObject
        case (.order, _): words.partsOrder
        case (.plan, .customers): words.customersPlanNow
        case (.plan, _): words.ordersPlan
        case (.product, _): words.ordersProduct
        case (.reason, _): words.auditReason
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

    /// The filters and the order as the list's address has them: "status=refunded, sort=amount".
    static func filters(_ query: String, _ words: Words) -> String {
        let pairs = (try? URLEncoded(query.dropFirst()).pairs) ?? []
        guard !pairs.isEmpty else { return words.viewsWholeList.description }
        return pairs.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
    }

    /// The columns that are shown, in the list's order.
    static func columns(_ choice: ColumnChoice, _ words: Words) -> String {
        let names = choice.list.columns.filter(choice.columns.contains)
        guard !names.isEmpty else { return words.viewsNoColumns.description }
        return words.list(names.map { $0.name(in: choice.list, words).description })
    }
}
