import Keys
import Support
import Testing

struct LockedMemoryTests {
    @Test func `overwrites released memory at once`() throws {
        let memory = LockedMemory()
        for byteCount in [1, 32, 64, 65, 4_096] {
            let piece = unsafe memory.allocate(byteCount: byteCount)
            for index in piece.indices { unsafe piece[index] = 0xA7 }
            unsafe memory.free(piece)
            // Pages of small pieces are kept, so that they may still be looked at.
            let isOverwritten = unsafe piece.allSatisfy { $0 == 0 }
            #expect(isOverwritten, "\(byteCount) bytes")
        }
        #expect(memory.usedBytes == 0)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `pieces of any size never overlap, and all of them are released`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let memory = LockedMemory()
        var held: [(piece: UnsafeMutableRawBufferPointer, mark: UInt8)] = unsafe []
        for round in 0..<2_000 {
            if unsafe held.count < 200, Bool.random(using: &random) {
                let sizes = [1...64, 65...500, 3_000...4_096, 4_097...9_000]
                let size = Int.random(
                    in: sizes[Int.random(in: 0..<4, using: &random)],
                    using: &random
                )
                let piece = unsafe memory.allocate(byteCount: size)
                let isNew = unsafe piece.count == size && piece.allSatisfy { $0 == 0 }
                #expect(isNew, "seed \(seed)")
                let mark = UInt8(truncatingIfNeeded: round | 1)
                for index in piece.indices { unsafe piece[index] = mark }
                unsafe held.append((piece, mark))
            } else if let last = unsafe held.indices.randomElement(using: &random) {
                let (piece, mark) = unsafe held.remove(at: last)
                let isWhole = unsafe piece.allSatisfy { $0 == mark }
                #expect(isWhole, "seed \(seed)")
                unsafe memory.free(piece)
            }
        }
        for unsafe(piece, _) in unsafe held { unsafe memory.free(piece) }
        #expect(memory.usedBytes == 0, "seed \(seed)")
    }

    @Test(arguments: [32, 4_096])
    func `locks a secret if the system allows it`(byteCount: Int) {
        #expect(SecretBytes.random(count: byteCount).isLocked)
    }

    @Test(arguments: [1, 64, 4_096, 4_097])
    func `uses memory that the system does not lock`(byteCount: Int) {
        let memory = unsafe LockedMemory { _, _ in false }
        let piece = unsafe memory.allocate(byteCount: byteCount)
        let isLocked = unsafe memory.isLocked(piece)
        #expect(!isLocked)
        for index in piece.indices { unsafe piece[index] = 0xA7 }
        let isWritten = unsafe piece.count == byteCount && piece.allSatisfy { $0 == 0xA7 }
        #expect(isWritten)
        unsafe memory.free(piece)
        #expect(memory.usedBytes == 0)
    }
}
