import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// One notification: `/dashboard/notifications/{id}`.
package struct NotificationShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let backHref: String
    let backText: StaticString
    let type: String
    let subtype: String?
    let status: StatusText
    /// "Apple, production"
    let place: String
    let isSandbox: Bool
    let received: DateText
    let zoneLabel: String
    let signed: DateText
    let finished: DateText?
    /// The time of the next attempt; nil once nothing more happens by itself.
    let nextAttempt: DateText?
    let uuid: String
    let originalTransactionID: String?
    /// "processed in 14 ms"
    let outcome: String
    let error: String?
    let effect: Effect?
    let attemptCount: Int
    let attempts: [Attempt]
    let orders: [LinkedOrder]
    /// The signed message, decoded and indented; nil when it cannot be read.
    let decoded: String?
    /// False for a role that may not read what was signed.
    let showsPayload: Bool
    let signedPayload: String
    let payloadSize: String
    /// The page of what staff did with it; nil for those who may not see the audit log.
    let historyHref: String?
    /// nil where there is nothing to apply again, or nobody to do it.
    let replayHref: String?
    /// Another person may replay it.
    let isReplayForOthers: Bool

    struct Effect: Sendable {
        var before: StatusText
        var after: StatusText
        var isChange: Bool
        var rejectionReason: String?
    }

    struct Attempt: Sendable {
        var number: Int
        var result: StatusText
        var started: DateText
        var duration: String
        var error: String?
    }

    struct LinkedOrder: Sendable {
        var href: String
        var number: String
        var name: StaticString
        var status: StatusText
        var money: MoneyText
        var purchased: DateText
        var isMadeByIt: Bool
    }

    /// - Parameter from: the page to go back to, as the request named it; anything but a path of the dashboard is
    ///   ignored.
    package init(details: NotificationDetails, from: String?, viewer: Viewer, now: Date) {
        let (row, zone, strings) = (details.row, viewer.zone, viewer.strings)
        let back = DashboardPath.safe(from)
        let own = DashboardPath.notification(row.id)
        frame = DashboardFrame(viewer, section: .notifications, path: own + DashboardPath.suffix(from: back), now: now)
        status = StatusText(row.state, strings)
        let named = "\(row.type)\(row.subtype.map { " \($0)" } ?? "")"
        title = strings.notificationsPageTitle(status: status.within.description, type: named)
        backHref = back ?? DashboardPath.notifications
        backText =
            switch backHref {
            case let path where path.hasPrefix(DashboardPath.orders): strings.ordersTitle
            case let path where path.hasPrefix(DashboardPath.queues): strings.queuesTitle
            case _: strings.notificationsTitle
            }
        type = row.type
        subtype = row.subtype
        place = StoreText.place(row.store, row.environment, strings)
        isSandbox = row.environment == .sandbox
        received = DateText(row.receivedAt, in: zone, strings, showsSeconds: true)
        zoneLabel = DateText.zone(of: row.receivedAt, in: zone)
        signed = DateText(details.signedAt, in: zone, strings, showsSeconds: true)
        finished = details.finishedAt.map { DateText($0, in: zone, strings, showsSeconds: true) }
        let waits = row.state == .received && row.attempts > 0
        nextAttempt = waits ? DateText(details.nextAttemptAt, in: zone, strings, showsSeconds: true) : nil
        uuid = row.notificationUUID
        originalTransactionID = row.originalTransactionID
        let word = status.within.description
        outcome =
            details.finishedAt.map {
                strings.ordersOutcome(duration: DateText.duration(from: row.receivedAt, to: $0, strings), status: word)
            } ?? word
        error = row.lastError
        effect = details.effect.map {
            Effect(
                before: StatusText($0.before, strings),
                after: StatusText($0.after, strings),
                isChange: $0.before != $0.after,
                rejectionReason: $0.rejectionReason
            )
        }
        attemptCount = row.attempts
        attempts = details.attempts.map { Attempt($0, zone: zone, strings) }
        let list = back ?? DashboardPath.notifications
        orders = details.orders.map { LinkedOrder($0, from: list, zone: zone, strings) }
        let payload = details.signedPayload.shown(to: viewer) ?? ""
        showsPayload = !payload.isEmpty
        decoded = DecodedPayload.text(ofSigned: payload)
        signedPayload = payload
        payloadSize = strings.partsBytes(count: payload.utf8.count)
        let isReplayable = row.state.isReplayable && row.originalTransactionID != nil
        let mayReplay = viewer.role.may(.replayNotifications)
        replayHref =
            isReplayable && mayReplay ? DashboardPath.newReplay(of: row.id) + DashboardPath.suffix(from: back) : nil
        isReplayForOthers = isReplayable && !mayReplay
        historyHref =
            viewer.may(.viewAudit) ? DashboardPath.history(of: "notification", row.id.uuidString.lowercased()) : nil
    }

    var hasActions: Bool { replayHref != nil || historyHref != nil }
}

extension NotificationShowPage.Attempt {
    fileprivate init(_ attempt: NotificationDetails.Attempt, zone: BusinessZone, _ strings: Strings) {
        number = attempt.number
        result = StatusText(attempt.result, strings)
        started = DateText(attempt.startedAt, in: zone, strings, showsSeconds: true)
        duration = DateText.duration(from: attempt.startedAt, to: attempt.finishedAt, strings)
        error = attempt.error
    }
}

extension NotificationShowPage.LinkedOrder {
    fileprivate init(
        _ order: NotificationDetails.LinkedOrder,
        from: String,
        zone: BusinessZone,
        _ strings: Strings
    ) {
        href = DashboardPath.order(order.number, from: from)
        number = order.number
        name = StoreText.name(of: order.kind, strings)
        status = StatusText(order.status, strings)
        money = MoneyText(order.amount, order.currency, strings)
        purchased = DateText(order.purchasedAt, in: zone, strings)
        isMadeByIt = order.isMadeByIt
    }
}
