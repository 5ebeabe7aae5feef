import Testing

@testable import Server

@Suite("The user of the operating system") struct SystemUserTests {
    @Test("whoever runs a command is named, and an environment that names nobody changes nothing")
    func names() {
        let name = SystemUser.name([:])
        #expect(!name.isEmpty)
        for text in ["", "lin\tada", String(repeating: "x", count: 65), "lin (command line)"] {
            #expect(SystemUser.name(["SUDO_USER": text]) == name)
        }
        // Only root is somebody else before.
        #expect(SystemUser.name(["SUDO_USER": "lin"]) == (name == "root" ? "lin" : name))
    }
}
