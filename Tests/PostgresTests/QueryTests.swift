import Testing

@testable import Postgres

@Suite("Query")
struct QueryTests {
    @Test("a value becomes a bind, in the order of the text")
    func binds() throws {
        let query: Query = "SELECT * FROM plans WHERE id = \(7) AND name = \("gold")"
        #expect(query.text == "SELECT * FROM plans WHERE id = $1 AND name = $2")
        #expect(query.binds.map(\.type) == [.int8, .text])
        #expect(query.binds[0].bytes == [0, 0, 0, 0, 0, 0, 0, 7])
        #expect(query.binds[1].bytes == Array("gold".utf8))
    }

    @Test("nil is a NULL that keeps its type")
    func null() throws {
        let missing: String? = nil
        let query: Query = "SELECT \(missing), \(Optional(1))"
        #expect(query.binds == [Bind(type: .text, bytes: nil), Bind(type: .int8, bytes: [0, 0, 0, 0, 0, 0, 0, 1])])
    }

    @Test("a hostile value stays a value")
    func injection() {
        let query: Query = "SELECT \("'; DROP TABLE plans; --")"
        #expect(query.text == "SELECT $1")
    }

    @Test("a fragment is spliced and its binds are renumbered")
    func fragment() {
        let condition: Query = "a = \(1) AND b = \("x")"
        let nested: Query = "(\(condition)) OR c = \(true)"
        let query: Query = "SELECT \(0.5) WHERE \(nested) LIMIT \(10)"
        #expect(query.text == "SELECT $1 WHERE (a = $2 AND b = $3) OR c = $4 LIMIT $5")
        #expect(query.binds.map(\.type) == [.float8, .int8, .text, .bool, .int8])
    }

    @Test("fragments with more than nine binds keep their numbers apart")
    func manyBinds() {
        let one: Query = "\(1),\(2),\(3),\(4),\(5),\(6),\(7),\(8),\(9),\(10),\(11)"
        let query: Query = "\(one);\(one)"
        let first = (1...11).map { "$\($0)" }.joined(separator: ",")
        let second = (12...22).map { "$\($0)" }.joined(separator: ",")
        #expect(query.text == first + ";" + second)
        #expect(query.binds.count == 22)
    }

    @Test("text goes in only when it is called unsafe, and brings no bind")
    func unsafeText() {
        let query: Query = "SELECT 1 ORDER BY \(unsafe: "name DESC") LIMIT \(3)"
        #expect(query.text == "SELECT 1 ORDER BY name DESC LIMIT $1")
    }

    @Test("a NUL in a value is found before anything is sent")
    func nulInValue() {
        let query: Query = "SELECT \("a\0b")"
        #expect(throws: PostgresError.self) { try query.validate() }
        let spliced: Query = "SELECT 1 WHERE \(query)"
        #expect(throws: PostgresError.self) { try spliced.validate() }
        let elements: Query = "SELECT \(["a", "\0"])"
        #expect(throws: PostgresError.self) { try elements.validate() }
    }

    @Test("a NUL in the text itself is refused: C would end the statement there")
    func nulInText() {
        #expect(throws: PostgresError.self) { try Query(unsafe: "SELECT 1\0; DROP TABLE plans").validate() }
    }

    @Test("more binds than the protocol can count are refused")
    func tooManyBinds() {
        let binds: Query = (0..<40_000).reduce("") { list, _ in list }
        #expect(throws: Never.self) { try binds.validate() }
        var text: Query = "\(1)"
        for _ in 0..<15 { text = "\(text),\(text)" }
        #expect(text.binds.count == 32_768)
        #expect(throws: PostgresError.self) { try text.validate() }
    }
}
