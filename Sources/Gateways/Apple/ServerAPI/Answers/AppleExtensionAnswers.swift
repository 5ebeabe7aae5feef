package import Foundation

/// The extension of one subscription's renewal date (`ExtendRenewalDateResponse`).
package struct AppleExtendedRenewal: Hashable, Sendable {
    package let originalTransactionID: String?
    package let webOrderLineItemID: String?
    package let isSuccess: Bool
    /// The new renewal date.
    package let effectiveDate: Date?

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        originalTransactionID = try fields.string("originalTransactionId")
        webOrderLineItemID = try fields.string("webOrderLineItemId")
        isSuccess = try fields.requiredBool("success")
        effectiveDate = try fields.date("effectiveDate")
    }
}

/// The start of a mass extension (`MassExtendRenewalDateResponse`).
package struct AppleMassExtension: Hashable, Sendable {
    package let requestIdentifier: String

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        requestIdentifier = try fields.required("requestIdentifier")
    }
}

/// The progress of a mass extension (`MassExtendRenewalDateStatusResponse`).
package struct AppleMassExtensionStatus: Hashable, Sendable {
    package let requestIdentifier: String?
    package let isComplete: Bool
    package let completeDate: Date?
    package let succeededCount: Int64?
    package let failedCount: Int64?

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        requestIdentifier = try fields.string("requestIdentifier")
        isComplete = try fields.requiredBool("complete")
        completeDate = try fields.date("completeDate")
        succeededCount = try fields.integer("succeededCount")
        failedCount = try fields.integer("failedCount")
    }
}
