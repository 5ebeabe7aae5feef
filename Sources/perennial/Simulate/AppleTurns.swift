import ArgumentParser
import Foundation
import StoreSimulator

/// The commands that let a purchase live on, one for each turn of its life.
enum AppleTurns {
    static let all: [any ParsableCommand.Type] = [
        AppleTurn<Renew>.self, AppleTurn<Cancel>.self, AppleTurn<Restart>.self, AppleTurn<Grace>.self,
        AppleTurn<Retry>.self, AppleTurn<Expire>.self, AppleTurn<Refund>.self,
    ]

    enum Renew: NamedTurn {
        static let turn = TriedPurchase.Turn.renew
        static let abstract = "The next period is charged, and told."
    }

    enum Cancel: NamedTurn {
        static let turn = TriedPurchase.Turn.cancel
        static let abstract = "The customer turns the renewal off."
    }

    enum Restart: NamedTurn {
        static let turn = TriedPurchase.Turn.restart
        static let abstract = "The customer turns the renewal on again."
    }

    enum Grace: NamedTurn {
        static let turn = TriedPurchase.Turn.grace
        static let abstract = "The charge at the end fails, and access is kept for sixteen days."
    }

    enum Retry: NamedTurn {
        static let turn = TriedPurchase.Turn.retry
        static let abstract = "The charge at the end fails, and access is not kept."
    }

    enum Expire: NamedTurn {
        static let turn = TriedPurchase.Turn.expire
        static let abstract = "The end has come."
    }

    enum Refund: NamedTurn {
        static let turn = TriedPurchase.Turn.refund
        static let abstract = "The store pays all of it back."
    }
}

/// A turn of a purchase's life as a command.
protocol NamedTurn: Sendable {
    static var turn: TriedPurchase.Turn { get }
    static var abstract: String { get }
}

struct AppleTurn<Named: NamedTurn>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: Named.turn.rawValue, abstract: Named.abstract)
    }

    @Argument(help: "The transaction that `buy` showed; the one that was bought last when absent.")
    var transaction: String?

    @OptionGroup
    var server: TriedServer

    func run() async throws {
        let (directory, signer) = try server.signer()
        var purchases = try TriedPurchases(keptIn: directory)
        var purchase = try purchases.purchase(transaction)
        let message = try purchase.take(Named.turn, at: Date())
        try await server.tell(message, signedBy: signer)
        try purchases.keep(purchase)
        Console.say("The store signs:\n\n\(purchase.description)")
    }
}
