extension JSONFields {
    /// A string without which the object is of no use.
    func required(_ name: StaticString) throws(GatewayError) -> String {
        guard let text = try string(name) else { throw GatewayError(.missing, "The member \(name) is missing.") }
        return text
    }

    /// A flag without which the object says nothing.
    func requiredBool(_ name: StaticString) throws(GatewayError) -> Bool {
        guard let flag = try bool(name) else { throw GatewayError(.missing, "The member \(name) is missing.") }
        return flag
    }

    /// A list of objects; none where it is absent. One that cannot be read is kept aside, by its reason.
    func readable<Element>(
        _ name: StaticString,
        of subject: StaticString,
        read: (JSONFields) throws(GatewayError) -> Element
    ) throws(GatewayError) -> (elements: [Element], unreadable: [String]) {
        guard let value = value(name) else { return ([], []) }
        guard case .array(let members) = value else {
            throw GatewayError(.malformed, "The member \(name) is not a list.")
        }
        var (elements, unreadable): ([Element], [String]) = ([], [])
        for member in members {
            do throws(GatewayError) {
                elements.append(try read(try JSONFields(member, of: subject)))
            } catch {
                unreadable.append(error.message)
            }
        }
        return (elements, unreadable)
    }

    /// A list of objects; none where it is absent.
    func list<Element>(
        _ name: StaticString,
        of subject: StaticString,
        read: (JSONFields) throws(GatewayError) -> Element
    ) throws(GatewayError) -> [Element] {
        guard let value = value(name) else { return [] }
        guard case .array(let members) = value else {
            throw GatewayError(.malformed, "The member \(name) is not a list.")
        }
        var elements: [Element] = []
        for member in members { elements.append(try read(try JSONFields(member, of: subject))) }
        return elements
    }
}
