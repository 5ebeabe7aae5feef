/// The identity of a simulated customer: a name and an e-mail address that no one owns.
package struct SimulatedPerson: Hashable, Sendable {
    package var name: String
    /// An address of the reserved domain `example.com` or `example.org` (RFC 2606).
    package var email: String

    /// Makes the same person for the same seed and number. The first few have names that are hard on a page.
    init(number: Int, seed: UInt64, country: String) {
        if Self.probes.indices.contains(number) {
            self = Self.probes[number]
            return
        }
        var random = SeededRandom(seed: seed ^ 0x5EED, stream: UInt64(number))
        let names = SimulatedNames.of(country)
        let given = random.pick(names.given) ?? ("Kim", "kim")
        let family = random.pick(names.family) ?? ("Doe", "doe")
        name = names.familyFirst ? family.0 + given.0 : "\(given.0) \(family.0)"
        let domain = random.chance(0.7) ? "example.com" : "example.org"
        email = "\(given.1).\(family.1)\(number)@\(domain)"
    }

    private init(name: String, email: String) {
        self.name = name
        self.email = email
    }

    private static let probes = [
        SimulatedPerson(name: "İbrahim Çelik", email: "ibrahim.celik@example.com"),
        SimulatedPerson(name: "O'Neil <b>", email: "oneil+b@example.com"),
        SimulatedPerson(name: "欧阳娜娜", email: "ouyang.nana@example.com"),
        SimulatedPerson(name: "Jürgen Groß-Weiß", email: "juergen.gross-weiss@example.org"),
        SimulatedPerson(name: "Şeyma Iğdır", email: "seyma.igdir@example.com"),
    ]
}
