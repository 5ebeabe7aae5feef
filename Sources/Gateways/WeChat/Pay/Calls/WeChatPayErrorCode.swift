/// The errors that WeChat Pay documents, by their names without underscores: old spellings have none (payments.md, 1B).
package enum WeChatPayErrorCode: String, Hashable, Sendable, CaseIterable {
    case userPaying = "USERPAYING"
    case accepted = "ACCEPTED"
    case paramError = "PARAMERROR"
    /// Also the same number with other content.
    case invalidRequest = "INVALIDREQUEST"
    case appMerchantMismatch = "APPIDMCHIDNOTMATCH"
    case merchantUnknown = "MCHNOTEXISTS"
    case orderClosed = "ORDERCLOSED"
    case noStatement = "NOSTATEMENTEXIST"
    case statementCreating = "STATEMENTCREATING"
    case signError = "SIGNERROR"
    case noAuth = "NOAUTH"
    case ruleLimit = "RULELIMIT"
    case tradeError = "TRADEERROR"
    case numberUsed = "OUTTRADENOUSED"
    case orderPaid = "ORDERPAID"
    case accountError = "ACCOUNTERROR"
    /// The merchant's balance does not suffice.
    case notEnough = "NOTENOUGH"
    case userAccountAbnormal = "USERACCOUNTABNORMAL"
    case requestBlocked = "REQUESTBLOCKED"
    case orderUnknown = "ORDERNOTEXIST"
    case resourceUnknown = "RESOURCENOTEXISTS"
    case frequencyLimited = "FREQUENCYLIMITED"
    case rateLimitExceeded = "RATELIMITEXCEEDED"
    case systemError = "SYSTEMERROR"
    case bankError = "BANKERROR"
    case openIDMismatch = "OPENIDMISMATCH"
    case invalidTransactionID = "INVALIDTRANSACTIONID"
    case serviceUnavailable = "SERVICEUNAVAILABLE"

    /// - Parameter text: as WeChat Pay writes it, with or without underscores.
    package init?(_ text: String) {
        self.init(rawValue: text.filter { $0 != "_" })
    }

    /// The statuses that it comes with; with another one it is none of WeChat Pay's.
    package var statuses: Set<Int> {
        switch self {
        case .userPaying, .accepted: [202]
        case .paramError, .invalidRequest, .appMerchantMismatch, .noStatement, .statementCreating: [400]
        case .orderClosed, .orderPaid: [400, 403]
        case .merchantUnknown: [400, 404]
        case .signError: [401]
        case .noAuth, .ruleLimit, .tradeError, .numberUsed, .accountError, .notEnough, .userAccountAbnormal,
            .requestBlocked:
            [403]
        case .orderUnknown, .resourceUnknown: [404]
        case .frequencyLimited, .rateLimitExceeded: [429]
        case .systemError, .bankError, .openIDMismatch, .invalidTransactionID: [500]
        case .serviceUnavailable: [502, 503]
        }
    }
}

/// The treatment of an error of WeChat Pay's.
package enum WeChatPayTreatment: Hashable, Sendable, CaseIterable {
    /// It says no, and would say so again.
    case final
    /// The same is asked later, under the same number.
    case later
    /// It may be done already: the number is asked about first.
    case queryFirst
    /// The merchant's balance has to be topped up; then the same number is asked for again.
    case topUp
    /// A setting or a permission is wrong; people mend it.
    case setting
}

extension WeChatPayErrorCode {
    package func treatment(at endpoint: WeChatPayEndpoint) -> WeChatPayTreatment {
        switch self {
        case .signError, .noAuth, .appMerchantMismatch, .merchantUnknown: .setting
        case .numberUsed, .orderPaid: .queryFirst
        case .notEnough: .topUp
        case .userPaying, .accepted, .orderUnknown, .resourceUnknown, .frequencyLimited, .rateLimitExceeded,
            .systemError, .bankError, .serviceUnavailable, .statementCreating, .noStatement:
            .later
        case .paramError, .invalidRequest, .orderClosed, .ruleLimit, .tradeError, .accountError, .userAccountAbnormal,
            .requestBlocked, .openIDMismatch, .invalidTransactionID:
            endpoint.refusals.contains(self) ? .final : .later
        }
    }
}
