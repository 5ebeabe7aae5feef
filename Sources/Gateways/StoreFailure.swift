/// Why a question to a store brought no answer: whoever asks decides by this, and by nothing else, what ends and what goes on.
///
/// One rule holds for every call to every store. *Said no* is an error in the store's own format, with a number or name that the store
/// documents as final for that very call. Everything else is *not known yet*, whatever status it came with: no connection, a page
/// of some proxy, an empty body, half a JSON, a member of another type, a signature that does not hold. What is not known yet
/// ends nothing: it is asked again under the same number, item by item, less and less often, until the store speaks.
package enum StoreFailure: Error, CustomStringConvertible {
    /// The store said no, and would say so again. It did nothing. Ends what was asked for.
    case refused(StoreRefusal)
    /// Not known yet; the store may have done what it was asked for. Asked again. The reason is `.unreachable` where nobody answered,
    /// or somebody without time for it.
    case unanswered(GatewayError)
    /// The store cannot be asked: a setting is wrong, or it does not accept the key. Asked again until people have mended that.
    case misconfigured(GatewayError)

    /// Applies the rule.
    ///
    /// - Parameters:
    ///   - refusal: what the store's own error says, only where it is one that the store documents as final for the call.
    ///   - reason: why there is no answer, where that is nil.
    package init(refusal: StoreRefusal?, else reason: GatewayError) {
        if let refusal {
            self = .refused(refusal)
        } else if reason.code == .misconfigured {
            self = .misconfigured(reason)
        } else {
            self = .unanswered(reason)
        }
    }

    /// What was received is not what the store answers, or cannot be read: not known yet.
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

    /// The same of what is verified.
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
