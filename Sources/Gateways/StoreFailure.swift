/// The reason that a query to a store brought no answer. Callers decide by it alone which operations end and which are retried.
///
/// One rule holds for every call to every store. A *refusal* is an error in the store's own format, with a number or name that the store
/// documents as final for that very call. Everything else is *unanswered*, whatever its status: no connection, a proxy's page, an empty
/// body, half a JSON document, a member of another type, an invalid signature. An unanswered call ends nothing: it is retried under the
/// same number, item by item, at growing intervals, until the store answers.
package enum StoreFailure: Error, CustomStringConvertible {
    /// The store refused, and would refuse again. It did nothing. Ends the operation.
    case refused(StoreRefusal)
    /// No answer yet; the store may have done the operation. It is retried. The reason is `.unreachable` if nobody answered, or the store
    /// was too busy.
    case unanswered(GatewayError)
    /// The store cannot be asked: a setting is wrong, or it rejects the key. Retried until staff have fixed that.
    case misconfigured(GatewayError)

    /// Applies the rule.
    ///
    /// - Parameters:
    ///   - refusal: the store's own error, only if the store documents it as final for the call.
    ///   - reason: the reason that there is no answer, used if `refusal` is nil.
    package init(refusal: StoreRefusal?, else reason: GatewayError) {
        if let refusal {
            self = .refused(refusal)
        } else if reason.code == .misconfigured {
            self = .misconfigured(reason)
        } else {
            self = .unanswered(reason)
        }
    }

    /// The response is not one of the store's, or cannot be read: unanswered.
    package init(unreadable reason: GatewayError) {
        self.init(refusal: nil, else: reason)
    }

    /// A plain sentence with the store's own words, safe to show to staff.
    package var message: String { reason.message }

    package var reason: GatewayError {
        switch self {
        case .refused(let refusal): refusal.reason
        case .unanswered(let reason), .misconfigured(let reason): reason
        }
    }

    /// True where no answer came at all, or one that says that the store has no time: to ask about something else now is no better.
    package var isAway: Bool {
        guard case .unanswered(let reason) = self else { return false }
        return reason.code == .unreachable
    }

    /// nil unless the store said no.
    package var refusal: StoreRefusal? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal
    }

    package var description: String {
        switch self {
        case .refused(let refusal): "refused, \(refusal.reason)"
        case .unanswered(let reason): "unanswered, \(reason)"
        case .misconfigured(let reason): "misconfigured, \(reason)"
        }
    }
}

/// A store's no.
package struct StoreRefusal: Error, Sendable {
    /// The store's own number of its error; nil where it says no in another way.
    package var code: Int64?
    /// For people, in the store's words.
    package var reason: GatewayError

    package init(code: Int64? = nil, _ reason: GatewayError) {
        self.code = code
        self.reason = reason
    }
}

extension StoreFailure {
    /// Reads something of a store's answer. What cannot be read is not known yet.
    static func reading<Value>(_ read: () throws(GatewayError) -> Value) throws(StoreFailure) -> Value {
        do {
            return try read()
        } catch {
            throw StoreFailure(unreadable: error)
        }
    }

    /// The same rule for a verification.
    static func verifying<Value>(
        _ read: () async throws(GatewayError) -> Value
    ) async throws(StoreFailure) -> Value {
        do {
            return try await read()
        } catch {
            throw StoreFailure(unreadable: error)
        }
    }
}
