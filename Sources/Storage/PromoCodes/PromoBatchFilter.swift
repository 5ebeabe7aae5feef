package import Billing

/// Which batches of promo codes a list shows, newest first, and which page of it.
package struct PromoBatchFilter: ListFilter, Hashable {
    package var state: PromoTerms.State?
    package var channel: String?
    package var position: PagePosition

    package init(state: PromoTerms.State? = nil, channel: String? = nil, position: PagePosition = .first) {
        self.state = state
        self.channel = channel
        self.position = position
    }

    package func cursor(at row: ListedPromoBatch, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .promoBatchMade, date: row.batch.createdAt, id: row.batch.id.uuid, rowsBefore: rowsBefore)
    }
}

/// Which page of a batch's redemptions a list shows, newest first.
package struct PromoRedemptionFilter: ListFilter, Hashable {
    package var batch: PromoBatch.ID
    package var position: PagePosition

    package init(of batch: PromoBatch.ID, position: PagePosition = .first) {
        self.batch = batch
        self.position = position
    }

    package func cursor(at row: PromoRedemption, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .promoRedeemed, date: row.redeemedAt, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}
