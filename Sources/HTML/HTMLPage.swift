/// A page whose template has been compiled.
package protocol HTMLPage<Vocabulary> {
    /// The page's texts in the reader's language; the site's own type.
    associatedtype Vocabulary

    var strings: Vocabulary { get }

    func render(into html: inout HTMLBuffer)
}

extension HTMLPage {
    /// The whole page as a string, for tests and snapshots.
    package func html() -> String {
        var html = HTMLBuffer()
        render(into: &html)
        return html.string()
    }
}
