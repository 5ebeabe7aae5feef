/// Generates the same numbers in every run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number of 1 to 63 bits, as often small as large, half of the time below zero.
    mutating func value() -> Int64 {
        let bits = Int.random(in: 1...63, using: &self)
        let magnitude = Int64(next() >> (64 - UInt64(bits)))
        return Bool.random(using: &self) ? magnitude : -magnitude
    }
}
