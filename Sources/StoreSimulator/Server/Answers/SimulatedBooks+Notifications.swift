import Billing
import Foundation
import Gateways

extension SimulatedBooks {
    /// The notifications of a span of time, with the state of when it was sent.
    func notifications(_ request: SimulatedRequest, _ with: Answering) throws -> StoreResponse {
        let filter = try SimulatedNotificationFilter(try Self.object(request), in: environment, at: with.now)
        let customer = try filter.transactionID.map { id in try entry(id).customer }
        let query = SimulatedPlace.fingerprint(of: request)
        var first = 0
        if let token = request.first("paginationToken") {
            guard let place = SimulatedPlace(token), place.query == query else {
                throw SimulatedRefusal(.invalidPaginationToken)
            }
            guard place.id == String(paginationGeneration) else { throw SimulatedRefusal(.paginationTokenExpired) }
            first = Int(place.date)
        }
        // One more than a page, which says whether there are more.
        let found = sendings.indices.dropFirst(max(0, first)).lazy.filter { index in
            filter.contains(sendings[index]) && (customer == nil || sendings[index].customer == customer)
        }.prefix(SimulatedPage.size + 1)
        let positions = Array(found)
        let page = positions.prefix(SimulatedPage.size)
        var body: JSON = [
            "hasMore": .bool(positions.count > page.count),
            "notificationHistory": .array(try page.map { try json(sendings[$0], with) }),
        ]
        // The last page has none.
        if positions.count > page.count, let last = page.last {
            let place = SimulatedPlace(date: Int64(last + 1), id: String(paginationGeneration), query: query)
            body["paginationToken"] = .string(place.text)
        }
        let isSpoiled = page.contains { index in
            spoiled != nil
                && sendings[index].message.notification["notificationUUID"]?.string
                    .flatMap(UUID.init(uuidString:)) == spoiled
        }
        return isSpoiled ? FieldAnswer.cut().spoiling(.json(body)) : .json(body)
    }

    mutating func requestTest(_ with: Answering) throws -> StoreResponse {
        guard with.canNotify else { throw SimulatedRefusal(.serverNotificationURLNotFound) }
        let uuid = UUID()
        let message = SimulatedMessage(
            SimulatedNotification(
                notificationUUID: uuid,
                type: "TEST",
                signedDate: with.now,
                environment: environment,
                bundleID: bundleID,
                appAppleID: appAppleID
            )
        )
        let token = "\(uuid.uuidString.lowercased())_\(with.now.milliseconds.integer ?? 0)"
        tests[token] = sendings.count
        send(message, of: nil, as: .due, at: with.now)
        return .json(["testNotificationToken": .string(token)])
    }

    /// Also unknown until the first attempt.
    func testStatus(_ token: String, _ with: Answering) throws -> StoreResponse {
        guard UUID(uuidString: String(token.prefix(36))) != nil else {
            throw SimulatedRefusal(.invalidTestNotificationToken)
        }
        guard let index = tests[token], sendings.indices.contains(index), !sendings[index].attempts.isEmpty else {
            throw SimulatedRefusal(.testNotificationNotFound)
        }
        return .json(try json(sendings[index], with))
    }

    private func json(_ sending: SimulatedSending, _ with: Answering) throws -> JSON {
        [
            "signedPayload": .string(try with.signer.sign(sending.message)),
            "sendAttempts": .array(sending.attempts.map(\.json)),
        ]
    }
}

/// The notifications that are wanted.
private struct SimulatedNotificationFilter {
    let transactionID: String?
    private let start: Date
    private let end: Date
    private let type: String?
    private let subtype: String?
    private let onlyFailures: Bool

    init(_ body: JSON, in environment: StoreEnvironment, at now: Date) throws(SimulatedRefusal) {
        guard let start = body["startDate"]?.date else { throw SimulatedRefusal(.invalidStartDate) }
        guard let end = body["endDate"]?.date else { throw SimulatedRefusal(.invalidEndDate) }
        guard start < end else { throw SimulatedRefusal(.startDateAfterEndDate) }
        let days: TimeInterval = environment == .sandbox ? 30 : 180
        // A minute for the way from whoever counted the days.
        guard start >= now.addingTimeInterval(-days * 86_400 - 60) else {
            throw SimulatedRefusal(.startDateTooFarInPast)
        }
        self.start = start
        self.end = end
        type = body["notificationType"]?.string
        subtype = body["notificationSubtype"]?.string
        transactionID = body["transactionId"]?.string
        if let type, AppleNotificationType(rawValue: type) == nil { throw SimulatedRefusal(.invalidNotificationType) }
        if let subtype, type == nil || AppleNotificationSubtype(rawValue: subtype) == nil {
            throw SimulatedRefusal(.invalidNotificationType)
        }
        guard type == nil || transactionID == nil else { throw SimulatedRefusal(.multipleFiltersSupplied) }
        onlyFailures = body["onlyFailures"]?.bool ?? false
    }

    func contains(_ sending: SimulatedSending) -> Bool {
        let message = sending.message
        return sending.signedDate >= start && sending.signedDate <= end && !sending.attempts.isEmpty
            && (type == nil || message.type == type) && (subtype == nil || message.subtype == subtype)
            && (!onlyFailures || !sending.isDelivered)
    }
}
