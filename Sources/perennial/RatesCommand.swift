import ArgumentParser
import Server

struct RatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rates",
        abstract: "Daily exchange rates, for metrics in an app's reporting currency.",
        subcommands: [Import.self]
    )

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take in a file in the format of the European Central Bank.",
            discussion: """
                eurofxref-hist.csv has every day since 1999, eurofxref.csv the last one. A day that is known already is \
                replaced. On days without a rate the last one of the week before is used.
                """
        )

        @Argument(help: "The file.", completion: .file(extensions: ["csv"]))
        var file: String

        func run() async throws {
            print(try await Setting.wiring().importRates(file))
        }
    }
}
