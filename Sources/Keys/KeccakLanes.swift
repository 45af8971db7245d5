/// The state of the sponge as 25 lanes that the compiler can keep in registers.
///
/// Named fields are used because indexing an array costs more than the mixing. The rounds are a
/// loop, because 24 unrolled rounds do not fit into the processor's instruction cache.
///
/// Lane `l(5y + x)` is at (x, y).
///
/// Source: the Keccak reference, section 1.2, "The Keccak-f permutations".
struct KeccakLanes {
    var l0: UInt64, l1: UInt64, l2: UInt64, l3: UInt64, l4: UInt64
    var l5: UInt64, l6: UInt64, l7: UInt64, l8: UInt64, l9: UInt64
    var l10: UInt64, l11: UInt64, l12: UInt64, l13: UInt64, l14: UInt64
    var l15: UInt64, l16: UInt64, l17: UInt64, l18: UInt64, l19: UInt64
    var l20: UInt64, l21: UInt64, l22: UInt64, l23: UInt64, l24: UInt64

    /// Returns the state after the 24 rounds.
    @inline(__always)
    func permuted() -> KeccakLanes {
        var a = self
        for index in 0..<24 { a = a.round(roundConstants[index]) }
        return a
    }

    /// Returns the state after one round: theta, rho and pi, chi, iota.
    @inline(__always)
    private func round(_ constant: UInt64) -> KeccakLanes {
        let c0 = l0 ^ l5 ^ l10 ^ l15 ^ l20
        let c1 = l1 ^ l6 ^ l11 ^ l16 ^ l21
        let c2 = l2 ^ l7 ^ l12 ^ l17 ^ l22
        let c3 = l3 ^ l8 ^ l13 ^ l18 ^ l23
        let c4 = l4 ^ l9 ^ l14 ^ l19 ^ l24
        let d0 = c4 ^ turn(c1, 1)
        let d1 = c0 ^ turn(c2, 1)
        let d2 = c1 ^ turn(c3, 1)
        let d3 = c2 ^ turn(c4, 1)
        let d4 = c3 ^ turn(c0, 1)
        let r0 = row(
            l0 ^ d0,
            turn(l6 ^ d1, 44),
            turn(l12 ^ d2, 43),
            turn(l18 ^ d3, 21),
            turn(l24 ^ d4, 14)
        )
        let r1 = row(
            turn(l3 ^ d3, 28),
            turn(l9 ^ d4, 20),
            turn(l10 ^ d0, 3),
            turn(l16 ^ d1, 45),
            turn(l22 ^ d2, 61)
        )
        let r2 = row(
            turn(l1 ^ d1, 1),
            turn(l7 ^ d2, 6),
            turn(l13 ^ d3, 25),
            turn(l19 ^ d4, 8),
            turn(l20 ^ d0, 18)
        )
        let r3 = row(
            turn(l4 ^ d4, 27),
            turn(l5 ^ d0, 36),
            turn(l11 ^ d1, 10),
            turn(l17 ^ d2, 15),
            turn(l23 ^ d3, 56)
        )
        let r4 = row(
            turn(l2 ^ d2, 62),
            turn(l8 ^ d3, 55),
            turn(l14 ^ d4, 39),
            turn(l15 ^ d0, 41),
            turn(l21 ^ d1, 2)
        )
        return KeccakLanes(
            l0: r0.0 ^ constant,
            l1: r0.1,
            l2: r0.2,
            l3: r0.3,
            l4: r0.4,
            l5: r1.0,
            l6: r1.1,
            l7: r1.2,
            l8: r1.3,
            l9: r1.4,
            l10: r2.0,
            l11: r2.1,
            l12: r2.2,
            l13: r2.3,
            l14: r2.4,
            l15: r3.0,
            l16: r3.1,
            l17: r3.2,
            l18: r3.3,
            l19: r3.4,
            l20: r4.0,
            l21: r4.1,
            l22: r4.2,
            l23: r4.3,
            l24: r4.4
        )
    }
}

@inline(__always)
private func turn(_ lane: UInt64, _ bits: UInt64) -> UInt64 {
    lane &<< bits | lane &>> (64 &- bits)
}

@inline(__always)
private func row(
    _ b0: UInt64,
    _ b1: UInt64,
    _ b2: UInt64,
    _ b3: UInt64,
    _ b4: UInt64
) -> (UInt64, UInt64, UInt64, UInt64, UInt64) {
    (b0 ^ (~b1 & b2), b1 ^ (~b2 & b3), b2 ^ (~b3 & b4), b3 ^ (~b4 & b0), b4 ^ (~b0 & b1))
}

private let roundConstants: [24 of UInt64] = [
    0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808A, 0x8000_0000_8000_8000,
    0x0000_0000_0000_808B, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
    0x0000_0000_0000_008A, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000A,
    0x0000_0000_8000_808B, 0x8000_0000_0000_008B, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
    0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800A, 0x8000_0000_8000_000A,
    0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
]
