/// The sponge's 1,600 bits and the permutation over them.
///
/// Source: the Keccak reference, section 1.2, "The Keccak-f permutations".
struct KeccakState: Sendable {
    private static let roundConstants: [UInt64] = [
        0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808A, 0x8000_0000_8000_8000,
        0x0000_0000_0000_808B, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
        0x0000_0000_0000_008A, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000A,
        0x0000_0000_8000_808B, 0x8000_0000_0000_008B, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
        0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800A, 0x8000_0000_8000_000A,
        0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
    ]
    private static let rotations: [UInt64] = [
        1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
    ]
    private static let targets: [Int] = [
        10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
    ]

    var lanes: [25 of UInt64] = .init(repeating: 0)

    var first32Bytes: Bytes32 {
        Bytes32(
            words: lanes[0].byteSwapped,
            lanes[1].byteSwapped,
            lanes[2].byteSwapped,
            lanes[3].byteSwapped
        )
    }

    mutating func permute() {
        for constant in Self.roundConstants {
            mixColumns()
            rotateAndMove()
            mixRows()
            lanes[0] ^= constant
        }
    }

    private mutating func mixColumns() {
        var parity: [5 of UInt64] = .init(repeating: 0)
        for x in 0..<5 {
            parity[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20]
        }
        for x in 0..<5 {
            let next = parity[(x + 1) % 5]
            let mixed = parity[(x + 4) % 5] ^ (next << 1 | next >> 63)
            for y in stride(from: 0, to: 25, by: 5) { lanes[x + y] ^= mixed }
        }
    }

    private mutating func rotateAndMove() {
        var moving = lanes[1]
        for index in 0..<24 {
            let target = Self.targets[index]
            let rotation = Self.rotations[index]
            let next = lanes[target]
            lanes[target] = moving << rotation | moving >> (64 - rotation)
            moving = next
        }
    }

    private mutating func mixRows() {
        for y in stride(from: 0, to: 25, by: 5) {
            let row = (lanes[y], lanes[y + 1], lanes[y + 2], lanes[y + 3], lanes[y + 4])
            lanes[y] ^= ~row.1 & row.2
            lanes[y + 1] ^= ~row.2 & row.3
            lanes[y + 2] ^= ~row.3 & row.4
            lanes[y + 3] ^= ~row.4 & row.0
            lanes[y + 4] ^= ~row.0 & row.1
        }
    }
}
