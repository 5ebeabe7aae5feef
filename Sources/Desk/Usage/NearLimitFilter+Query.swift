package import HTTP
package import Storage

extension NearLimitFilter {
    /// Reads the list's state from a URL.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            feature: query.value("feature") { $0.utf8.count > 64 ? nil : $0 },
            position: try query.position(of: .nearLimit)
        )
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String {
        var query = QueryText()
        query.add("feature", feature)
        query.add(position)
        return DashboardPath.nearLimits + query.text
    }
}
