public import Foundation

/// A row in which a store's bill and the books differ, as `GET /admin/bill-differences` shows it.
public struct BillDifferenceItem: Resource {
    public var id: UUID
    public var source: String
    public var environment: String
    public var billId: UUID
    public var day: String
    public var kind: String
    public var status: String
    public var orderNumber: String?
    public var storeOrderNumber: String?
    public var transactionId: String
    public var refundNumber: String?
    public var billed: Amount?
    public var booked: Amount?
    public var currency: String?
    public var at: Date
    public var foundAt: Date
    public var closedAt: Date?
    public var note: String?
    public var notedAt: Date?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("source", \.source, .oneOf(Vocabulary.sources))
        Field("environment", \.environment, .oneOf(Vocabulary.environments))
        Field("billId", \.billId)
        Field("day", \.day, "Of the bill, by the store's calendar.")
        Field(
            "kind",
            \.kind,
            "`…_THERE`: only the bill has it; `…_HERE`: only the books have it; `…_AMOUNT`: both have it, of different amounts.",
            .oneOf(Vocabulary.billDifferences)
        )
        Field(
            "status",
            \.status,
            "`EXPLAINED`: a later bill, payment or refund agrees; `CLOSED`: a person closed it.",
            .oneOf(Vocabulary.billDifferenceStatuses)
        )
        Field("orderNumber", \.orderNumber, "The order here; null where the books have none.")
        Field("storeOrderNumber", \.storeOrderNumber, "The order's number at the store.")
        Field("transactionId", \.transactionId, "The store's number of the payment.")
        Field("refundNumber", \.refundNumber, "Of a refund, as the bill has it.")
        Field("billed", \.billed, "Null where the bill does not have it.")
        Field("booked", \.booked, "Null where the books do not have it.")
        Field("currency", \.currency, "ISO 4217.", .currencyCode)
        Field("at", \.at, "When it was paid or given back, by the bill where that has it.")
        Field("foundAt", \.foundAt)
        Field("closedAt", \.closedAt)
        Field("note", \.note, "The words of the last note; null for those who may not read what staff wrote.")
        Field("notedAt", \.notedAt)
    }

    public init(
        id: UUID,
        source: String,
        environment: String,
        billId: UUID,
        day: String,
        kind: String,
        status: String,
        orderNumber: String?,
        storeOrderNumber: String?,
        transactionId: String,
        refundNumber: String?,
        billed: Amount?,
        booked: Amount?,
        currency: String?,
        at: Date,
        foundAt: Date,
        closedAt: Date?,
        note: String?,
        notedAt: Date?
    ) {
        self.id = id
        self.source = source
        self.environment = environment
        self.billId = billId
        self.day = day
        self.kind = kind
        self.status = status
        self.orderNumber = orderNumber
        self.storeOrderNumber = storeOrderNumber
        self.transactionId = transactionId
        self.refundNumber = refundNumber
        self.billed = billed
        self.booked = booked
        self.currency = currency
        self.at = at
        self.foundAt = foundAt
        self.closedAt = closedAt
        self.note = note
        self.notedAt = notedAt
    }
}

/// A page of them.
public struct BillDifferencePage: Resource {
    public var differences: [BillDifferenceItem]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("differences", \.differences)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(differences: [BillDifferenceItem], next: String?) {
        self.differences = differences
        self.next = next
    }
}
