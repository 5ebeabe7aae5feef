import Testing

@testable import Desk
@testable import HTTP

@Suite("Queries and forms") struct URLEncodedTests {
    @Test("names and values are decoded, plus is a space, order is kept")
    func decoding() throws {
        let pairs = try URLEncoded("a=1&b=x+y%20z&%C3%A7=%E6%9D%8E&empty=&alone&a=2").pairs
        #expect(pairs.map(\.name) == ["a", "b", "ç", "empty", "alone", "a"])
        #expect(pairs.map(\.value) == ["1", "x y z", "李", "", "", "2"])
    }

    @Test("what is no text is refused", arguments: ["%", "%4", "%g0", "%00", "a=%FF", "a=%C3", "a=%ED%A0%80"])
    func refusals(_ text: String) {
        #expect(throws: WebError.self) { try URLEncoded(text) }
    }

    @Test("a name that stands twice cannot be asked for once")
    func twice() throws {
        let form = try URLEncoded("a=1&a=2&b=3")
        #expect(throws: WebError.self) { try form.single("a") }
        #expect(try form.single("b") == "3")
        #expect(try form.single("c") == nil)
        #expect(form["a"] == "1")
    }

    @Test("a plus in a path is a plus")
    func path() throws {
        #expect(try URLEncoded.decode("a+b%2B".utf8) == "a+b+")
    }
}
