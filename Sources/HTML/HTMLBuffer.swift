/// The bytes of a page while it is being written: a growing block of memory with one owner, copied once at the end.
package struct HTMLBuffer: ~Copyable {
    private var bytes: UnsafeMutableRawPointer
    private var capacity: Int
    package private(set) var count = 0

    package init(capacity: Int = HTMLBlocks.size) {
        self.capacity = max(capacity, 64)
        bytes = HTMLBlocks.take(self.capacity)
    }

    deinit {
        HTMLBlocks.giveBack(bytes, capacity)
    }

    /// Appends a piece of the template itself, as it is.
    package mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a value as text between elements.
    package mutating func text(_ value: some HTMLRenderable) {
        value.write(into: &self, as: .text)
    }

    /// Appends a value where no element may stand, such as in `<title>` and `<textarea>`.
    package mutating func content(_ value: some HTMLRenderable) {
        value.write(into: &self, as: .content)
    }

    /// Appends a value inside a quoted attribute.
    package mutating func attribute(_ value: some HTMLRenderable) {
        value.write(into: &self, as: .attribute)
    }

    /// Appends a value that begins a URL inside a quoted attribute; one with a foreign scheme becomes `#unsafe`.
    package mutating func url(_ value: some HTMLRenderable) {
        value.write(into: &self, as: .url)
    }

    /// Appends a value as one percent-encoded component of a URL that has already begun.
    package mutating func component(_ value: some HTMLRenderable) {
        value.write(into: &self, as: .component)
    }

    /// Appends finished HTML, unescaped.
    package mutating func trusted(_ html: TrustedHTML) {
        html.bytes.withUnsafeBytes { append($0) }
    }

    /// Appends bytes as they are. Only escapers and finished HTML come this way.
    mutating func append(_ run: UnsafeRawBufferPointer) {
        guard let start = run.baseAddress else { return }
        append(start, count: run.count)
    }

    mutating func append(_ start: UnsafeRawPointer, count length: Int) {
        if length > capacity - count {
            grow(by: length)
        }
        (bytes + count).copyMemory(from: start, byteCount: length)
        count += length
    }

    /// Lends the bytes written so far.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The bytes written so far as a string, for tests and mail.
    package func string() -> String {
        withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func grow(by length: Int) {
        let larger = max(capacity * 2, count + length)
        let moved = HTMLBlocks.take(larger)
        moved.copyMemory(from: bytes, byteCount: count)
        HTMLBlocks.giveBack(bytes, capacity)
        bytes = moved
        capacity = larger
    }
}
