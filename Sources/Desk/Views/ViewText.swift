import HTTP
import Storage
import Words

extension ListName {
    func title(_ strings: Strings) -> StaticString {
        switch self {
        case .orders: strings.ordersTitle
        case .customers: strings.customersTitle
        case .subscriptions: strings.subscriptionsTitle
        case .refunds: strings.refundsTitle
        case .notifications: strings.notificationsTitle
        case .audit: strings.auditTitle
        }
    }
}

extension ListColumn {
    /// As the heading of the list has it.
    func name(in list: ListName, _ strings: Strings) -> StaticString {
        switch (self, list) {
        case (.actor, _): strings.auditWho
        case (.amount, _): strings.partsAmount
        case (.app, _): strings.auditApp
        case (.appID, _): strings.customersAppId
        case (.attempts, _): strings.notificationsAttempts
        case (.created, _): strings.partsCreated
        case (.customer, _): strings.partsCustomer
        case (.deadline, _): strings.refundsColumnDeadline
        case (.end, _): strings.subscriptionsPaidUntil
        case (.error, _): strings.notificationsLastError
        case (.firstSeen, _): strings.customersFirstSeen
        case (.kind, _): strings.refundsColumnKind
        case (.lastOrder, _): strings.customersLastOrder
        case (.lastPurchase, _): strings.customersLastPurchase
        case (.object, _): strings.auditObject
        case (.order, _): strings.partsOrder
        case (.plan, .customers): strings.customersPlanNow
        case (.plan, _): strings.ordersPlan
        case (.product, _): strings.ordersProduct
        case (.reason, _): strings.auditReason
        case (.renewal, _): strings.subscriptionsRenewal
        case (.requested, _): strings.refundsColumnRequested
        case (.requester, _): strings.refundsColumnRequester
        case (.started, _): strings.subscriptionsStarted
        case (.status, _): strings.partsStatus
        case (.store, _): strings.partsStore
        case (.uuid, _): strings.notificationsUuid
        }
    }
}

/// Views in words.
enum ViewText {
    /// Returns the sentence on the action that was just done.
    static func done(_ action: String, _ strings: Strings) -> String? {
        switch action {
        case "view.save": strings.viewsDoneSave.description
        case "view.change": strings.viewsDoneChange.description
        case "view.delete": strings.viewsDoneDelete.description
        case _: nil
        }
    }

    /// The filters and the order as the list's address has them: "status=refunded, sort=amount".
    static func filters(_ query: String, _ strings: Strings) -> String {
        let pairs = (try? URLEncoded(query.dropFirst()).pairs) ?? []
        guard !pairs.isEmpty else { return strings.viewsWholeList.description }
        return pairs.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
    }

    /// The columns that are shown, in the list's order.
    static func columns(_ choice: ColumnChoice, _ strings: Strings) -> String {
        let names = choice.list.columns.filter(choice.columns.contains)
        guard !names.isEmpty else { return strings.viewsNoColumns.description }
        return strings.list(names.map { $0.name(in: choice.list, strings).description })
    }
}
