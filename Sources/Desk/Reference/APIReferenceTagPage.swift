import HTTP
import Words

/// `/docs/{tag}`: the operations of a tag, one below the other.
struct APIReferenceTagPage: Sendable {
    let strings: Strings
    let frame: APIReferenceFrame
    let name: String
    let meaning: MarkedText
    /// The way from the top of the page to each.
    let links: [APIReferenceFrame.OperationLink]
    let operations: [OperationText]

    /// - Parameters:
    ///   - routes: all operations of the API.
    ///   - origin: where the API is, for the examples.
    init(
        _ tag: APIOperation.Tag,
        of routes: [DescribedRoute],
        origin: String,
        strings: Strings,
        frame: APIReferenceFrame
    ) {
        self.strings = strings
        self.frame = frame
        name = tag.rawValue
        meaning = MarkedText(tag.meaning)
        links = frame.tags.first { $0.name == tag.rawValue }?.operations ?? []
        operations = routes.filter { $0.operation.tag == tag }.map { route in
            OperationText(route, origin: origin, strings)
        }
    }
}
