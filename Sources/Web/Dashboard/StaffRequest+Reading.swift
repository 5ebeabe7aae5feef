import Hummingbird

/// The page of a list that was asked for is not there: its marker is not one of ours.
struct LostPage: Error {}

extension StaffRequest {
    /// A part of the path, decoded.
    func parameter(_ name: String) throws -> String {
        try URLEncoded.decode(try context.parameters.require(name).utf8)
    }

    /// Reads a list's state.
    ///
    /// - Throws: `LostPage` where a page of the list was asked for by a marker that is not ours, which leads to its first
    ///   page.
    func reading<Filter>(_ read: () throws(InvalidCursor) -> Filter) throws -> Filter {
        guard request.method == .get else { return try readingFile(read) }
        do {
            return try read()
        } catch {
            throw LostPage()
        }
    }

    /// The same for a file or a form, where a marker that is not ours is the caller's mistake.
    func readingFile<Filter>(_ read: () throws(InvalidCursor) -> Filter) throws(WebError) -> Filter {
        do {
            return try read()
        } catch {
            throw WebError(.badRequest, "This page marker is not one of ours.", underlying: error)
        }
    }

    /// Leads to the first page of a list, which says once that the page that was asked for is not there any more.
    func startOver(at path: String) -> Response {
        var response = Response.seeOther(path)
        // What was just done is told first.
        guard viewer.done == nil else { return response }
        response.addCookie(cookies.set(cookies.done, Viewer.Notice.startedOver.rawValue, maxAge: 300))
        return response
    }

    /// The address that was asked for without the marker of a page.
    var firstPagePath: String {
        var rest = QueryText()
        for (name, value) in query.pairs where name != "after" && name != "before" { rest.add(name, value) }
        return request.uri.path + rest.text
    }

    /// The page to go back to, as the address or a form names it.
    var from: String? { DashboardPath.safe(query["from"] ?? form["from"]) }
}
