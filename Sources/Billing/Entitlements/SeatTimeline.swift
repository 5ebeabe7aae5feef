import Foundation

/// The price of each period's seats, moment by moment, while a history is folded: an addition raises it at once, a refund of seats
/// lowers it (docs/metrics.md, "Seats").
struct SeatTimeline {
    private var periods: [String: [String: Part]] = [:]

    fileprivate struct Part {
        var startsAt: Date
        var price: Money?
        var count: Int
        /// The share of it that stands from each moment on, in signed order.
        var standing: [(since: Date, share: Share)] = []
        var revokedAt: Date?
    }

    /// So much of so much.
    fileprivate struct Share: Equatable {
        var part: Int64
        var whole: Int64
    }

    /// Takes note of an event that was taken.
    mutating func note(_ event: StoreEvent) {
        let transaction = event.transaction
        guard transaction.seats != nil || transaction.additionTo != nil, !transaction.isShared,
            event.kind != .informational
        else { return }
        var part =
            periods[transaction.periodID]?[transaction.id]
            ?? Part(startsAt: transaction.purchasedAt, price: nil, count: transaction.quantity)
        part.price = part.price ?? transaction.price
        note(event, in: &part)
        periods[transaction.periodID, default: [:]][transaction.id] = part
    }

    private func note(_ event: StoreEvent, in part: inout Part) {
        let transaction = event.transaction
        let isTakenBack =
            transaction.revocation != nil || event.kind == .refunded && transaction.seats?.refundedAt == nil
        var (share, since) = (Share(part: Int64(part.count), whole: Int64(part.count)), event.signedAt)
        if event.kind != .refundReversed, isTakenBack {
            let given = transaction.revocation?.share ?? 100_000
            (share, since) = (
                Share(part: Int64(100_000 - given), whole: 100_000), transaction.revocation?.at ?? event.signedAt
            )
            part.revokedAt = given >= 100_000 ? since : nil
        } else {
            part.revokedAt = nil
            if let seats = transaction.seats, let refundedAt = seats.refundedAt {
                since = max(refundedAt, part.startsAt)
                share =
                    if let revoked = seats.revoked {
                        Share(part: Int64(part.count - min(revoked, part.count)), whole: Int64(part.count))
                    } else { Share(part: Int64(100_000 - (seats.milliPercent ?? 0)), whole: 100_000) }
            }
        }
        if part.standing.isEmpty {
            part.standing = [(part.startsAt, Share(part: Int64(part.count), whole: Int64(part.count)))]
        }
        guard share != part.standing.last?.share else { return }
        part.standing.append((since, share))
    }

    /// The stretches with what each moment cost: cut where that changes.
    func priced(_ stretches: [AccessPeriod]) -> [AccessPeriod] {
        guard !periods.isEmpty else { return stretches }
        return stretches.flatMap { stretch -> [AccessPeriod] in
            guard let parts = periods[stretch.transactionID],
                parts.contains(where: { $0.value.isEventful }) || parts.count > 1
            else { return [stretch] }
            return priced(stretch, by: parts.values.sorted { $0.startsAt < $1.startsAt })
        }
    }

    private func priced(_ stretch: AccessPeriod, by parts: [Part]) -> [AccessPeriod] {
        let moments = parts.flatMap { [$0.startsAt] + $0.standing.map(\.since) }
        let cuts = Set(moments).filter { $0 > stretch.startsAt && $0 < stretch.endsAt ?? .distantFuture }.sorted()
        let whole = parts.compactMap(\.revokedAt)
        var rest = stretch
        if parts.count > 1 { rest.refundedAt = whole.count == parts.count ? whole.max() : nil }
        rest.price = price(of: parts, at: rest.startsAt)
        var priced: [AccessPeriod] = []
        for cut in cuts {
            let next = price(of: parts, at: cut)
            guard next != rest.price else { continue }
            var piece = rest
            (piece.endsAt, piece.ending) = (cut, nil)
            priced.append(piece)
            (rest.startsAt, rest.price) = (cut, next)
        }
        return priced + [rest]
    }

    /// nil where the store has named none of the prices.
    private func price(of parts: [Part], at moment: Date) -> Money? {
        let running = parts.filter { $0.startsAt <= moment }
        guard let currency = running.compactMap(\.price?.currency).first else { return nil }
        let amounts = running.compactMap { part -> Int64? in
            guard let price = part.price, price.currency == currency else { return nil }
            let share = part.standing.last { $0.since <= moment }?.share ?? Share(part: 1, whole: 1)
            return (try? price.multiplied(by: share.part, over: share.whole))?.minorUnits
        }
        return Money(minorUnits: amounts.boundedSum, currency: currency)
    }
}

extension SeatTimeline.Part {
    /// True if something of it was given back.
    fileprivate var isEventful: Bool { standing.count > 1 }
}
