/// The attributes that browsers follow.
enum URLAttributes {
    static func contains(_ attribute: String, of element: String) -> Bool {
        names.contains(attribute) || (attribute == "data" && element == "object")
    }

    private static let names: Set = ["href", "src", "action", "formaction", "poster", "cite", "xlink:href"]
}
