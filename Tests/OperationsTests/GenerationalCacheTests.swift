import Testing

@testable import Operations

@Suite("What is remembered of keys in use") struct GenerationalCacheTests {
    @Test("the last generation of keys is known for certain, and never more than two")
    func bounded() {
        var cache = GenerationalCache<Int, Int>(generation: 10)
        for key in 0..<1_000 {
            cache.keep(key * 2, for: key)
            #expect(cache.count <= 20)
            for recent in max(0, key - 9)...key { #expect(cache.value(of: recent) == recent * 2) }
        }
        #expect(cache.value(of: 0) == nil)
    }

    @Test("what is asked for stays, however many others come")
    func inUse() {
        var cache = GenerationalCache<Int, String>(generation: 10)
        cache.keep("in use", for: -1)
        for key in 0..<1_000 {
            cache.keep("once", for: key)
            #expect(cache.value(of: -1) == "in use")
        }
    }

    @Test("as many keys as fill a generation are all known, in whatever order they come again")
    func workingSet() {
        var cache = GenerationalCache<Int, Int>(generation: 100)
        var missed = 0
        for round in 0..<10 {
            for key in 0..<100 where cache.value(of: (key * 37 + round) % 100) == nil {
                missed += 1
                cache.keep(key, for: (key * 37 + round) % 100)
            }
        }
        #expect(missed == 100)
    }

    @Test("what is kept anew has the new value, and what is forgotten is known no more, from either generation")
    func changed() {
        var cache = GenerationalCache<Int, String>(generation: 2)
        for key in 1...3 { cache.keep("first", for: key) }
        for key in 1...3 { cache.keep("second", for: key) }
        #expect(cache.value(of: 3) == "second")
        for key in 1...3 {
            #expect(
                cache.change(key) { value in
                    defer { value = "third" }
                    return value
                } == "second"
            )
            #expect(cache.value(of: key) == "third")
        }
        #expect(cache.change(4) { $0 } == nil)
        for key in 1...3 {
            cache.forget(key)
            #expect(cache.value(of: key) == nil)
        }
        #expect(cache.count == 0)
    }

    @Test("room for nothing is room for one", arguments: [Int.min, 0, 1])
    func smallest(_ generation: Int) {
        var cache = GenerationalCache<Int, Int>(generation: generation)
        cache.keep(1, for: 1)
        cache.keep(2, for: 2)
        #expect(cache.value(of: 2) == 2)
        #expect(cache.count <= 2)
    }
}
