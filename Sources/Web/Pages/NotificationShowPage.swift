import Billing
package import Foundation
package import Storage

/// One notification: `/dashboard/notifications/{id}`.
package struct NotificationShowPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let backHref: String
    let backText: String
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
        let (row, zone) = (details.row, viewer.zone)
        let back = DashboardPath.safe(from)
        let own = DashboardPath.notification(row.id)
        frame = DashboardFrame(viewer, section: .notifications, path: own + DashboardPath.suffix(from: back), now: now)
        status = StatusText(row.state)
        title = "\(row.type)\(row.subtype.map { " \($0)" } ?? ""), \(status.lowercased)"
        backHref = back ?? DashboardPath.notifications
        backText = backHref.hasPrefix(DashboardPath.orders) ? "Orders" : "Notifications"
        type = row.type
        subtype = row.subtype
        place = StoreText.place(row.store, row.environment)
        isSandbox = row.environment == .sandbox
        received = DateText(row.receivedAt, in: zone, showsSeconds: true)
        zoneLabel = DateText.zone(of: row.receivedAt, in: zone)
        signed = DateText(details.signedAt, in: zone, showsSeconds: true)
        finished = details.finishedAt.map { DateText($0, in: zone, showsSeconds: true) }
        let waits = row.state == .received && row.attempts > 0
        nextAttempt = waits ? DateText(details.nextAttemptAt, in: zone, showsSeconds: true) : nil
        uuid = row.notificationUUID
        chain = row.originalTransactionID
        let word = status.lowercased
        outcome =
            details.finishedAt.map { "\(word) in \(DateText.duration(from: row.receivedAt, to: $0))" } ?? word
        error = row.lastError
        effect = details.effect.map {
            Effect(
                before: StatusText($0.before),
                after: StatusText($0.after),
                isChange: $0.before != $0.after,
                refusal: $0.refusal
            )
        }
        attemptCount = row.attempts
        attempts = details.attempts.map { Attempt($0, zone: zone) }
        let list = back ?? DashboardPath.notifications
        orders = details.orders.map { LinkedOrder($0, from: list, zone: zone) }
        showsPayload = !details.signedPayload.isEmpty
        decoded = DecodedPayload.text(ofSigned: details.signedPayload)
        signedPayload = details.signedPayload
        payloadSize = "\(Phrase.grouped(details.signedPayload.utf8.count)) bytes"
    }
}

extension NotificationShowPage.Attempt {
    fileprivate init(_ attempt: NotificationDetails.Attempt, zone: BusinessZone) {
        number = attempt.number
        result = StatusText(attempt.result)
        started = DateText(attempt.startedAt, in: zone, showsSeconds: true)
        duration = DateText.duration(from: attempt.startedAt, to: attempt.finishedAt)
        error = attempt.error
    }
}

extension NotificationShowPage.LinkedOrder {
    fileprivate init(_ order: NotificationDetails.LinkedOrder, from: String, zone: BusinessZone) {
        href = DashboardPath.order(order.number, from: from)
        number = order.number
        name = StoreText.name(of: order.kind)
        status = StatusText(order.status)
        money = MoneyText(order.amount, order.currency)
        purchased = DateText(order.purchasedAt, in: zone)
        isMadeByIt = order.isMadeByIt
    }
}
