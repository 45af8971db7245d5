/// The 1,600-bit state of the sponge, which absorbs the message.
///
/// Source: the Keccak reference, section 1.1, "The sponge construction".
struct KeccakState: Sendable {
    private var lanes: [25 of UInt64] = .init(repeating: 0)

    var first32Bytes: Bytes32 {
        Bytes32(
            words: lanes[0].byteSwapped,
            lanes[1].byteSwapped,
            lanes[2].byteSwapped,
            lanes[3].byteSwapped
        )
    }

    mutating func mix(_ byte: UInt8, at offset: Int) {
        lanes[offset / 8] ^= UInt64(byte) << UInt64(offset % 8 * 8)
    }

    /// Absorbs eight bytes of the message, the first as the lowest.
    mutating func mix(word: UInt64, at lane: Int) {
        lanes[lane] ^= word
    }

    /// Absorbs the 136 bytes from `offset`; the caller has checked that they exist.
    mutating func mixBlock(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
        for lane in 0..<17 {
            let word = unsafe bytes.loadUnaligned(
                fromByteOffset: offset + lane * 8,
                as: UInt64.self
            )
            lanes[lane] ^= UInt64(littleEndian: word)
        }
    }

    // One copy for all callers, to fit the instruction cache.
    @inline(never)
    mutating func permute() {
        let a = KeccakLanes(
            l0: lanes[0],
            l1: lanes[1],
            l2: lanes[2],
            l3: lanes[3],
            l4: lanes[4],
            l5: lanes[5],
            l6: lanes[6],
            l7: lanes[7],
            l8: lanes[8],
            l9: lanes[9],
            l10: lanes[10],
            l11: lanes[11],
            l12: lanes[12],
            l13: lanes[13],
            l14: lanes[14],
            l15: lanes[15],
            l16: lanes[16],
            l17: lanes[17],
            l18: lanes[18],
            l19: lanes[19],
            l20: lanes[20],
            l21: lanes[21],
            l22: lanes[22],
            l23: lanes[23],
            l24: lanes[24]
        ).permuted()
        (lanes[0], lanes[1], lanes[2], lanes[3], lanes[4]) = (a.l0, a.l1, a.l2, a.l3, a.l4)
        (lanes[5], lanes[6], lanes[7], lanes[8], lanes[9]) = (a.l5, a.l6, a.l7, a.l8, a.l9)
        (lanes[10], lanes[11], lanes[12], lanes[13], lanes[14]) = (
            a.l10, a.l11, a.l12, a.l13, a.l14
        )
        (lanes[15], lanes[16], lanes[17], lanes[18], lanes[19]) = (
            a.l15, a.l16, a.l17, a.l18, a.l19
        )
        (lanes[20], lanes[21], lanes[22], lanes[23], lanes[24]) = (
            a.l20, a.l21, a.l22, a.l23, a.l24
        )
    }
}
