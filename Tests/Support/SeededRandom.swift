/// Random numbers that are the same on every run: a failing seed is a bug report.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func bytes(count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// Changes, removes, doubles or adds a byte or a few, as a hostile or broken sender would.
    package mutating func spoil(_ bytes: inout [UInt8]) {
        for _ in 0...Int.random(in: 0...2, using: &self) {
            guard let index = bytes.indices.randomElement(using: &self) else {
                bytes.append(UInt8(truncatingIfNeeded: next()))
                continue
            }
            switch next() % 6 {
            case 0: bytes[index] = UInt8(truncatingIfNeeded: next())
            case 1: bytes[index] ^= 1 << UInt8(next() % 8)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(UInt8(truncatingIfNeeded: next()), at: index)
            case 4: bytes.removeSubrange(index...)
            default: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF][Int(next() % 5)]
            }
        }
    }
}
