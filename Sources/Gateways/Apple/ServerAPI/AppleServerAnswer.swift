package import Billing

/// Apple's answer, with its environment.
@dynamicMemberLookup
package struct AppleServerAnswer<Content: Sendable>: Sendable {
    package let environment: StoreEnvironment
    package let content: Content
    /// The whole answer, including members that are not known here; null for an empty one.
    package let json: JSON

    package subscript<Value>(dynamicMember member: KeyPath<Content, Value>) -> Value {
        content[keyPath: member]
    }
}

/// Apple's names of environments. Only the first two are of a store (`StoreEnvironment`).
package enum AppleEnvironment: String, Hashable, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
    case xcode = "Xcode"
    case localTesting = "LocalTesting"
}
