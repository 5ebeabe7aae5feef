import ArgumentParser
import Server

struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract: "Files that are written regularly.",
        subcommands: [Add.self, List.self, Remove.self, Run.self]
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have a file written each day, week or month, beginning with the one that runs."
        )

        @Argument(help: "What it is called; its files are NAME-2026-11-21.csv, NAME-2026-W47.csv or NAME-2026-11.csv.")
        var name: String

        @Option(help: "The app's slug.")
        var app: String

        @Option(help: "revenue, ledger, access-changes or monthly-revenue.")
        var what: String

        @Option(help: "day, week or month.")
        var every: String

        @Option(help: "The hour of the app's business day on which the period before is written, 0 to 23.")
        var at = 6

        @Option(help: "The directory, on the machine of the worker.", completion: .directory)
        var to: String

        @Flag(help: "With names and e-mail addresses.")
        var personalData = false

        func run() async throws {
            print(
                try await Setting.wiring().addReport(
                    name,
                    app: app,
                    content: what,
                    every: every,
                    at: at,
                    to: to,
                    hasPersonalData: personalData
                )
            )
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "All reports, when they are due, and how they went.")

        func run() async throws {
            for line in try await Setting.wiring().reportLines() { print(line) }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Write a report no more; its files stay.")

        @Argument(help: "The report's name.")
        var name: String

        func run() async throws {
            try await Setting.wiring().removeReport(name)
            print("\(name) is written no more.")
        }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Write a report now, whatever is due.")

        @Argument(help: "The report's name.")
        var name: String

        @Option(help: "A day of the period, such as 2026-11-21; without, the last period that is over.")
        var period: String?

        func run() async throws {
            print(try await Setting.wiring().writeReport(name, of: period))
        }
    }
}
