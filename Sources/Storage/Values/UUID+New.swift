import Billing
import Foundation

extension UUID {
    /// A version 7 key from the system's random source.
    static func version7(at now: Date) -> UUID {
        var random = SystemRandomNumberGenerator()
        return version7(at: now, using: &random)
    }
}
