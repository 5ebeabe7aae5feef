/// The two keys that a simulated sign-in begins with. RSA keys are slow to make: share them between many simulations.
package struct SimulatedAppleKeys: Sendable {
    let all: [SimulatedAppleKey]

    /// Makes new keys.
    package init() throws {
        all = [try SimulatedAppleKey(id: "SIMKEY0001"), try SimulatedAppleKey(id: "SIMKEY0002")]
    }
}
