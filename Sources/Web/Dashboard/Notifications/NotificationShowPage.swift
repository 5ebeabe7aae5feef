import Billing
package import Foundation
import Operations
package import Storage

/// One notification: `/dashboard/notifications/{id}`.
package struct NotificationShowPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
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
    /// When it is due again; nil once nothing more happens by itself.
    let nextAttempt: DateText?
    let uuid: String
    let chain: String?
    /// "processed in 14 ms"
    let outcome: String
    let error: String?
    let effect: Effect?
    let attemptCount: Int
    let attempts: [Attempt]
    let orders: [LinkedOrder]
    /// What was signed, decoded and indented; nil when it cannot be read.
    let decoded: String?
    /// False for a role that may not read what was signed.
    let showsPayload: Bool
    let signedPayload: String
    let payloadSize: String
    /// What staff did with it; nil for who may not see the audit log.
    let historyHref: String?
    /// nil where there is nothing to apply again, or nobody to do it.
    let replayHref: String?
    /// Somebody else could have it applied again.
    let isReplayForOthers: Bool

    struct Effect: Sendable {
        var before: StatusText
        var after: StatusText
        var isChange: Bool
        var refusal: String?
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

    /// - Parameter from: the page to go back to, as the request named it; anything but a path of the dashboard is ignored.
    package init(details: NotificationDetails, from: String?, viewer: Viewer, now: Date) {
        let (row, zone, words) = (details.row, viewer.zone, viewer.words)
        let back = DashboardPath.safe(from)
        let own = DashboardPath.notification(row.id)
        frame = DashboardFrame(viewer, section: .notifications, path: own + DashboardPath.suffix(from: back), now: now)
        status = StatusText(row.state, words)
        let named = "\(row.type)\(row.subtype.map { " \($0)" } ?? "")"
        title = words.notificationsPageTitle(status: status.within.description, type: named)
        backHref = back ?? DashboardPath.notifications
        backText = backHref.hasPrefix(DashboardPath.orders) ? words.ordersTitle : words.notificationsTitle
        type = row.type
        subtype = row.subtype
        place = StoreText.place(row.store, row.environment, words)
        isSandbox = row.environment == .sandbox
        received = DateText(row.receivedAt, in: zone, words, showsSeconds: true)
        zoneLabel = DateText.zone(of: row.receivedAt, in: zone)
        signed = DateText(details.signedAt, in: zone, words, showsSeconds: true)
        finished = details.finishedAt.map { DateText($0, in: zone, words, showsSeconds: true) }
        let waits = row.state == .received && row.attempts > 0
        nextAttempt = waits ? DateText(details.nextAttemptAt, in: zone, words, showsSeconds: true) : nil
        uuid = row.notificationUUID
        chain = row.originalTransactionID
        let word = status.within.description
        outcome =
            details.finishedAt.map {
                words.ordersOutcome(duration: DateText.duration(from: row.receivedAt, to: $0, words), status: word)
            } ?? word
        error = row.lastError
        effect = details.effect.map {
            Effect(
                before: StatusText($0.before, words),
                after: StatusText($0.after, words),
                isChange: $0.before != $0.after,
                refusal: $0.refusal
            )
        }
        attemptCount = row.attempts
        attempts = details.attempts.map { Attempt($0, zone: zone, words) }
        let list = back ?? DashboardPath.notifications
        orders = details.orders.map { LinkedOrder($0, from: list, zone: zone, words) }
        let payload = details.signedPayload.shown(to: viewer) ?? ""
        showsPayload = !payload.isEmpty
        decoded = DecodedPayload.text(ofSigned: payload)
        signedPayload = payload
        payloadSize = words.partsBytes(count: payload.utf8.count)
        let isReplayable = row.state.isReplayable && row.originalTransactionID != nil
        let mayReplay = viewer.role.may(.replayNotifications)
        replayHref = isReplayable && mayReplay ? DashboardPath.newReplay(of: row.id) : nil
        isReplayForOthers = isReplayable && !mayReplay
        historyHref =
            viewer.may(.viewAudit) ? DashboardPath.history(of: "notification", row.id.uuidString.lowercased()) : nil
    }

    var hasActions: Bool { replayHref != nil || historyHref != nil }
}

extension NotificationShowPage.Attempt {
    fileprivate init(_ attempt: NotificationDetails.Attempt, zone: BusinessZone, _ words: Words) {
        number = attempt.number
        result = StatusText(attempt.result, words)
        started = DateText(attempt.startedAt, in: zone, words, showsSeconds: true)
        duration = DateText.duration(from: attempt.startedAt, to: attempt.finishedAt, words)
        error = attempt.error
    }
}

extension NotificationShowPage.LinkedOrder {
    fileprivate init(
        _ order: NotificationDetails.LinkedOrder,
        from: String,
        zone: BusinessZone,
        _ words: Words
    ) {
        href = DashboardPath.order(order.number, from: from)
        number = order.number
        name = StoreText.name(of: order.kind, words)
        status = StatusText(order.status, words)
        money = MoneyText(order.amount, order.currency, words)
        purchased = DateText(order.purchasedAt, in: zone, words)
        isMadeByIt = order.isMadeByIt
    }
}
