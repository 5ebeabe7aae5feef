@testable import Gateways

/// True when the work fails with that code and nothing else.
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
