import HTTP
import HTTPTypes

/// The frame of every page of the reference: the tags, and the operations of the one that is shown.
struct APIReferenceFrame: Sendable {
    let assets: AssetPaths
    let theme: String?
    let tags: [TagLink]

    struct TagLink: Sendable {
        let name: String
        let meaning: MarkedText
        let href: String
        let isCurrent: Bool
        let operations: [OperationLink]
    }

    struct OperationLink: Sendable {
        let method: String
        let path: String
        let summary: String
        let href: String
    }

    /// - Parameter tag: the one that is shown; nil on the first page.
    init(_ routes: [DescribedRoute], showing tag: APIOperation.Tag?, theme: String? = nil, assets: AssetPaths) {
        self.assets = assets
        self.theme = theme
        let byTag = Dictionary(grouping: routes, by: \.operation.tag)
        tags = APIOperation.Tag.allCases.compactMap { each in
            guard let routes = byTag[each] else { return nil }
            return TagLink(
                name: each.rawValue,
                meaning: MarkedText(each.meaning),
                href: SitePath.reference(of: each),
                isCurrent: each == tag,
                operations: routes.map(OperationLink.init)
            )
        }
    }
}

extension APIReferenceFrame.OperationLink {
    fileprivate init(_ route: DescribedRoute) {
        self.init(
            method: route.method.rawValue,
            path: route.path,
            summary: route.operation.summary,
            href: SitePath.reference(of: route.operation)
        )
    }
}
