/// The two keys that a simulated sign-in begins with. RSA keys take their time, so whoever plays it often makes them once.
package struct SimulatedAppleKeys: Sendable {
    let all: [SimulatedAppleKey]

    /// Makes new ones.
    package init() throws {
        all = [try SimulatedAppleKey(id: "SIMKEY0001"), try SimulatedAppleKey(id: "SIMKEY0002")]
    }
}
