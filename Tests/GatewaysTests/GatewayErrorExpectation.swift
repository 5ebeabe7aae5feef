@testable import Gateways

/// Returns true when the work fails with that code and no other error.
func error(_ code: GatewayError.Code, _ work: () throws -> Void) -> Bool {
    do {
        try work()
        return false
    } catch let error as GatewayError {
        return error.code == code
    } catch {
        return false
    }
}
