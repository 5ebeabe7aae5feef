import Foundation

/// Why a call to WeChat Pay came to nothing.
package struct WeChatPayError: Error, CustomStringConvertible {
    package var endpoint: WeChatPayEndpoint
    /// nil where no answer came, and where nothing was asked.
    package var httpStatus: Int?
    /// WeChat Pay's name of its error, also one that is not known here.
    package var rawCode: String?
    /// WeChat Pay's own words.
    package var message: String?
    /// The answer that came in WeChat Pay's place, cut short.
    package var stray: String?
    /// True if WeChat Pay has signed the answer: only then it ends something.
    package var isSigned: Bool
    package var retryAfter: Duration?
    /// The error on the way: `.unreachable`, or the fault of the answer.
    package var cause: GatewayError?

    package init(
        _ endpoint: WeChatPayEndpoint,
        httpStatus: Int? = nil,
        rawCode: String? = nil,
        message: String? = nil,
        stray: String? = nil,
        isSigned: Bool = false,
        retryAfter: Duration? = nil,
        cause: GatewayError? = nil
    ) {
        self.endpoint = endpoint
        self.httpStatus = httpStatus
        self.rawCode = rawCode
        self.message = message
        self.stray = stray
        self.isSigned = isSigned
        self.retryAfter = retryAfter
        self.cause = cause
    }

    /// nil for one that is not known here, and for one that does not fit the status it came with.
    package var code: WeChatPayErrorCode? {
        guard let httpStatus, let code = rawCode.flatMap({ WeChatPayErrorCode($0) }) else { return nil }
        return code.statuses.contains(httpStatus) ? code : nil
    }

    /// By the table of errors; what is no error of WeChat Pay's, or not signed, ends nothing.
    package var treatment: WeChatPayTreatment {
        guard let code else { return cause?.code == .misconfigured ? .setting : .later }
        let treatment = code.treatment(at: endpoint)
        return treatment == .final && !isSigned ? .later : treatment
    }

    /// True where WeChat Pay says, with its signature, that it does not know what was asked about.
    var isUnknown: Bool { isSigned && (code == .orderUnknown || code == .resourceUnknown) }

    /// Nothing came, or a word that there is no time.
    fileprivate var isAway: Bool {
        guard let httpStatus else { return cause?.code == .unreachable }
        return httpStatus == 429 || httpStatus >= 500
    }

    package var description: String {
        var parts = ["\(endpoint)"]
        if let httpStatus { parts.append("status \(httpStatus)") }
        if let rawCode { parts.append(rawCode) }
        if let message { parts.append(message) }
        if let stray { parts.append("\"\(stray)\"") }
        if let cause { parts.append("\(cause)") }
        return parts.joined(separator: ", ")
    }
}

extension WeChatPayError {
    /// Reads an answer that is no success.
    init(_ response: StoreResponse, to endpoint: WeChatPayEndpoint, isSigned: Bool, at now: Date) {
        self.init(endpoint, httpStatus: response.status, isSigned: isSigned, retryAfter: response.retryAfter(at: now))
        guard let json = try? JSON(parsingUnique: Array(response.body)), let code = json["code"]?.string,
            code.wholeMatch(of: /[A-Z0-9_]{1,64}/) != nil
        else {
            stray = response.strayWords
            return
        }
        rawCode = code
        message = json["message"]?.string
    }
}

extension StoreFailure {
    /// The rule for WeChat Pay. The reason's `underlying` is the `WeChatPayError`.
    package init(_ error: WeChatPayError) {
        let words = (error.message ?? error.stray).map { ": \($0.storeWords(atMost: 200).droppingLastStop)" } ?? ""
        let what =
            switch (error.rawCode, error.httpStatus) {
            case (let code?, _): "answered with \(code)"
            case (nil, let status?) where (200..<300).contains(status):
                "answered \(status) with what cannot be believed"
            case (nil, let status?): "answered \(status)"
            case (nil, nil): "gave no answer"
            }
        let cause = error.cause.map { " (\($0.message.droppingLastStop))" } ?? ""
        let message = "WeChat Pay \(what)\(words)\(cause)."
        switch error.treatment {
        case .final: self = .refused(StoreRefusal(GatewayError(.malformed, message, underlying: error)))
        case .setting:
            self = .misconfigured(
                GatewayError(
                    .misconfigured,
                    error.code == .signError ? message + Self.signErrorHint : message,
                    field: error.cause?.field ?? (error.code == .signError ? WeChatSetting.merchantKey : nil),
                    underlying: error
                )
            )
        case .later, .queryFirst, .topUp:
            self = .unanswered(GatewayError(error.isAway ? .unreachable : .malformed, message, underlying: error))
        }
    }

    private static let signErrorHint =
        " Merchant number, serial and key have to be of one certificate, and the clock has to be right within five minutes."
}
