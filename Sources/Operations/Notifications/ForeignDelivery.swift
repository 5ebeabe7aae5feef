package import Billing
import Gateways
import Logging

extension BackOffice {
    /// Says whether a delivery that was refused is to be answered as taken: it is none of ours, and its store would send it for ever.
    ///
    /// A message that somebody else has sent in the store's name is refused in any case.
    package func leaves(_ error: OperationsError, to store: Store) -> Bool {
        guard gateways[store]?.resendsWhatIsNotOurs == true, error.isOfForeignDelivery else { return false }
        logger.notice(
            "a delivery is none of ours",
            metadata: ["store": "\(store.rawValue)", "error": "\(error.message)"]
        )
        return true
    }
}

extension OperationsError {
    /// True if no app here is meant, or nobody could read it; false if a token or a signature is wrong.
    fileprivate var isOfForeignDelivery: Bool {
        switch underlying {
        case nil: code == .wrongApp
        case let error as GatewayError: error.code == .malformed && !(error.underlying is JWTError)
        case .some: false
        }
    }
}
