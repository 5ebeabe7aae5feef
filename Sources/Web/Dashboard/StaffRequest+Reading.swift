import Hummingbird

extension StaffRequest {
    /// A part of the path, decoded.
    func parameter(_ name: String) throws -> String {
        try URLEncoded.decode(try context.parameters.require(name).utf8)
    }

    /// Reads a list's state; a cursor that is not ours is the caller's mistake.
    func reading<Filter>(_ read: () throws(InvalidCursor) -> Filter) throws(WebError) -> Filter {
        do {
            return try read()
        } catch {
            throw WebError(.badRequest, "This page marker is not one of ours.", underlying: error)
        }
    }
}
