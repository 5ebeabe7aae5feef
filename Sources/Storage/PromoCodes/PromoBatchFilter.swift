package import Billing

/// The filter and the page of a list of promo code batches, newest first.
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

/// The page of a list of a batch's redemptions, newest first.
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
