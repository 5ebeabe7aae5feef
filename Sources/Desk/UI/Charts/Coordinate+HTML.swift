package import Charts
package import HTML
import HTTP

extension Coordinate: HTMLRenderable {
    package func write(into html: inout HTMLBuffer, as context: HTMLContext) {
        description.write(into: &html, as: context)
    }
}
