import ArgumentParser
import Server

struct AppleExtendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Put off the next renewal of one subscription, or of everybody who subscribes to a product.",
        discussion: """
            Apple extends active, paid subscriptions, each by 1 to 90 days and twice a year. Ends with 1 when Apple refuses. For a \
            product Apple takes its time: what came of it stands on the dashboard under Extensions.
            """
    )

    @Argument(help: "The original transaction id of the subscription; without it --product is needed.")
    var subscription: String?

    @Option(help: ArgumentHelp("The app, by its slug.", valueName: "slug"))
    var app: String

    @Option(help: ArgumentHelp("Everybody who subscribes to this product.", valueName: "id"))
    var product: String?

    @Option(help: ArgumentHelp("Only in this storefront; may be repeated.", valueName: "country"))
    var storefront: [String] = []

    @Option(help: ArgumentHelp("By how many days, 1 to 90.", valueName: "number"))
    var days: String

    @Option(
        help: ArgumentHelp(
            "Why, as Apple wants to know it: UNDECLARED, CUSTOMER_SATISFACTION, OTHER or SERVICE_ISSUE_OR_OUTAGE.",
            valueName: "word"
        )
    )
    var reasonCode: String = "UNDECLARED"

    @Option(help: ArgumentHelp("Why, for the audit log: 10 to 500 characters.", valueName: "text"))
    var reason: String

    @Flag(help: "In the sandbox.")
    var sandbox = false

    func validate() throws {
        if (subscription == nil) == (product == nil) {
            throw ValidationError("Name one subscription, or a product with --product.")
        }
        if product == nil, !storefront.isEmpty { throw ValidationError("--storefront is of --product.") }
    }

    func run() async throws {
        let finding = try await Setting.wiring().extendRenewals(
            RenewalsToExtend(
                app: app,
                subscription: subscription,
                product: product,
                storefronts: storefront,
                days: days,
                reasonCode: reasonCode,
                reason: reason,
                isSandbox: sandbox
            )
        )
        print(finding.text)
        if !finding.isWell { throw ExitCode.failure }
    }
}
