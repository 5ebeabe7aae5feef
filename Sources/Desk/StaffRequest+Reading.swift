package import HTTP
package import Hummingbird
import Operations

/// The page of a list that was asked for is not there: its marker is not one of ours.
package struct LostPage: Error {}

extension StaffRequest {
    /// A part of the path, decoded.
    package func parameter(_ name: String) throws -> String {
        try URLEncoded.decode(try context.parameters.require(name).utf8)
    }

    /// Reads a list's state.
    ///
    /// - Throws: `LostPage` where a page of the list was asked for by a marker that is not ours, which leads to its first
    ///   page.
    package func reading<Filter>(_ read: () throws(InvalidCursor) -> Filter) throws -> Filter {
        guard request.method == .get else { return try readingFile(read) }
        do {
            return try read()
        } catch {
            throw LostPage()
        }
    }

    /// The same for a file or a form, where a marker that is not ours is the caller's mistake.
    package func readingFile<Filter>(_ read: () throws(InvalidCursor) -> Filter) throws(WebError) -> Filter {
        do {
            return try read()
        } catch {
            throw WebError(.badRequest, "This page marker is not one of ours.", underlying: error)
        }
    }

    /// Leads to the first page of a list, which says once that the page that was asked for is not there any more.
    package func startOver(at path: String) -> Response {
        var response = Response.seeOther(path)
        // The action that was just done is told first.
        guard viewer.done == nil else { return response }
        response.addCookie(cookies.set(cookies.done, Viewer.Notice.startedOver.rawValue, maxAge: 300))
        return response
    }

    /// The address that was asked for without the marker of a page.
    package var firstPagePath: String {
        var rest = QueryText()
        for (name, value) in query.pairs where name != "after" && name != "before" { rest.add(name, value) }
        return request.uri.path + rest.text
    }

    /// The page to go back to, as the address or a form names it.
    package var from: String? { DashboardPath.safe(query["from"] ?? form["from"]) }

    /// Reads the page's state from its address.
    ///
    /// - Parameter names: the names that the page takes besides.
    /// - Returns: the state, and the request whose viewer is told what in the address the page does not understand.
    package func reading<State: QueryReadable>(
        _ type: State.Type,
        beside names: String...
    ) throws -> (State, StaffRequest) {
        try readingQuery(beside: names) { query throws(InvalidCursor) in try State(&query) }
    }

    /// The same for a state that needs more than the address.
    package func readingQuery<State>(
        beside names: [String] = [],
        _ read: (inout QueryReader) throws(InvalidCursor) -> State
    ) throws -> (State, StaffRequest) {
        var reader = QueryReader(query.pairs)
        reader.allow(names)
        let state = try reading { () throws(InvalidCursor) in try read(&reader) }
        return (state, told(of: reader.ignored))
    }

    /// The request for a page without a state, which may be asked with these names alone.
    package func taking(_ names: String...) -> StaffRequest { taking(names) }

    package func taking(_ names: [String]) -> StaffRequest {
        var reader = QueryReader(query.pairs)
        reader.allow(names)
        return told(of: reader.ignored)
    }

    private func told(of ignored: [IgnoredParameter]) -> StaffRequest {
        var told = self
        told.viewer = viewer.told(of: ignored)
        return told
    }

    /// Reads what a file is to hold. A file has no place to say what it leaves out: so nothing is.
    ///
    /// - Throws: `.invalid`, naming each part of the address that says nothing here.
    package func readingWhole<State: QueryReadable>(_ type: State.Type) throws -> State {
        try readingWhole(type, table: { _ in nil as Never? }).0
    }

    /// The same for one of several tables.
    ///
    /// - Parameter read: the table of a name.
    package func readingWhole<State: QueryReadable, Table>(
        _ type: State.Type,
        table read: (String) -> Table?
    ) throws -> (State, Table?) {
        try readingWhole { query throws(InvalidCursor) in
            let state = try State(&query)
            return (state, query.value("table", read))
        }
    }

    /// The same for a state that needs more than the address.
    package func readingWhole<State>(_ read: (inout QueryReader) throws(InvalidCursor) -> State) throws -> State {
        var reader = QueryReader(query.pairs)
        let state = try readingFile { () throws(InvalidCursor) in try read(&reader) }
        guard reader.ignored.isEmpty else {
            throw OperationsError(
                problems: reader.ignored.map { parameter in
                    switch parameter {
                    case .name(let name): FieldProblem(String(name.prefix(100)), .unknownName)
                    case .value(_, let name): FieldProblem(name, .unknownChoice)
                    }
                }
            )
        }
        return state
    }
}
