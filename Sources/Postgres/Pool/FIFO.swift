/// A queue: first in, first out, each in constant time.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll(where isUnwanted: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map { !isUnwanted($0) } ?? false }
        head = 0
    }

    mutating func removeAll() -> [Element] {
        defer {
            elements = []
            head = 0
        }
        return elements[head...].compactMap(\.self)
    }

    /// Changes the first element in place.
    mutating func updateFirst<Value>(_ body: (inout Element) -> Value) -> Value? {
        guard !isEmpty, var element = elements[head] else { return nil }
        elements[head] = nil
        defer { elements[head] = element }
        return body(&element)
    }
}
