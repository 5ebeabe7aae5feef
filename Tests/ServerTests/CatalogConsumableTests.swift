import Billing
import Foundation
import Operations
import Server
import Testing

@Suite("What a catalogue file says that a product is") struct CatalogConsumableTests {
    /// The shop's file with another second product.
    private func shop(_ product: String) -> String {
        CatalogFeatureTests.shop.replacingOccurrences(of: "name: Pro yearly\n    period: P1Y", with: product)
    }

    @Test("a product is a period, is owned for ever, or is used up") func kinds() throws {
        #expect(try CatalogFileTests.read(CatalogFeatureTests.shop).products.map(\.isConsumable) == [false, false])
        let coins = try CatalogFileTests.read(shop("name: Coins\n    consumable: true")).products
        #expect(coins.map(\.isConsumable) == [false, true])
        #expect(coins.last?.period == nil)
        let book = try CatalogFileTests.read(shop("name: Book")).products
        #expect(book.last?.isConsumable == false && book.last?.period == nil)
    }

    @Test(
        "what is used up lasts for no time, is tried for none, and is nothing to highlight",
        arguments: ["period: P1Y", "trial: P7D", "recommended: true"]
    )
    func contradiction(line: String) throws {
        let text = shop("name: Coins\n    consumable: true\n    \(line)")
        let error = #expect(throws: OperationsError.self) { try CatalogFileTests.read(text) }
        #expect(error?.code == .invalid)
        #expect(error?.field == "products[1].consumable")
    }
}
