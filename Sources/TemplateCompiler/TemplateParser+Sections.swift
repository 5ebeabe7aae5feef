extension TemplateParser {
    /// Reads the rest of `{{#if}}` or `{{#with}}`.
    mutating func choice(
        _ condition: Condition,
        closedBy section: String,
        openedAt offset: Int
    ) throws(TemplateError) -> Choice {
        var choice = Choice(branches: [], otherwise: nil, offset: offset)
        choice.branches.append((condition, try nodes(closedBy: section, openedAt: offset)))
        while case .tag(.otherwise(let next?), let place) = tokens[position] {
            guard section == "if" else {
                throw source.error(at: place.lowerBound, "{{else if}} belongs to #if")
            }
            position += 1
            choice.branches.append((next, try nodes(closedBy: section, openedAt: offset)))
        }
        choice.otherwise = try alternative(of: section, openedAt: offset)
        return choice
    }

    /// Reads `{{else}}` if it comes next, and the end of the section.
    mutating func alternative(of section: String, openedAt offset: Int) throws(TemplateError) -> [Node]? {
        var otherwise: [Node]?
        if case .tag(.otherwise(let condition), let place) = tokens[position] {
            guard condition == nil else {
                throw source.error(at: place.lowerBound, "{{else if}} belongs to #if")
            }
            position += 1
            otherwise = try nodes(closedBy: section, openedAt: offset)
            if case .tag(.otherwise, let second) = tokens[position] {
                throw source.error(at: second.lowerBound, "nothing but {{/\(section)}} may follow {{else}}")
            }
        }
        position += 1
        return otherwise
    }

    mutating func block(_ name: String, openedAt offset: Int) throws(TemplateError) -> Block {
        let body = try nodes(closedBy: "block", openedAt: offset)
        position += 1
        return Block(name: name, body: body, offset: offset)
    }
}
