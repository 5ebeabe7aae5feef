package import Billing

/// A base plan of a subscription in the simulated Play Console.
package struct SimulatedPlan: Hashable, Sendable {
    package var productID: String
    package var basePlanID: String
    package var price: Money
    /// In days.
    package var length: Int

    package init(_ productID: String, _ basePlanID: String, _ price: Money, days length: Int) {
        (self.productID, self.basePlanID, self.price, self.length) = (productID, basePlanID, price, length)
    }

    /// Its name in our catalogue.
    package var catalogID: String { "\(productID):\(basePlanID)" }
}
