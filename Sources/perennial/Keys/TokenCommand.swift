import ArgumentParser
import Server

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print an access token for a customer of an app.",
        discussion: """
            For whoever builds an app and tries the customer API: the token opens what that customer's app may open. A customer who is \
            named for the first time is made. The audit log says that it was printed.
            """
    )

    @Option(help: ArgumentHelp("The app, by its slug.", valueName: "slug"))
    var app: String

    @Option(help: ArgumentHelp("The app's own id of the customer.", valueName: "id"))
    var customer: String

    @Option(help: ArgumentHelp("After how many minutes it ends, 1 to 1440.", valueName: "minutes"))
    var minutes = 1_440

    func validate() throws {
        try Whole.number(minutes, isIn: 1...1_440, of: "--minutes")
    }

    func run() async throws {
        print(try await Setting.wiring().customerToken(for: customer, of: app, minutes: minutes))
    }
}
