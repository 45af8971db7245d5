import Keys
import Market
import Support
import Testing

struct RecordVersionTests {
    @Test(arguments: 0..<24 as Range<UInt64>)
    func `merging does not depend on order, grouping or repetition`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let versions = (0..<160).map { _ in version(using: &random) }
        let expected = RecordVersion.merged(versions)

        for _ in 0..<8 {
            let shuffled = (versions + versions.prefix(40)).shuffled(using: &random)
            #expect(RecordVersion.merged(shuffled) == expected)

            let cut = Int.random(in: 0...shuffled.count, using: &random)
            let left = RecordVersion.merged(shuffled[..<cut])
            let right = RecordVersion.merged(shuffled[cut...])
            let joined = Array(left) + Array(right)
            #expect(RecordVersion.merged(joined) == expected)
            #expect(RecordVersion.merged(expected) == expected)
        }
    }

    @Test func `the later version wins, or the lower id on a tie`() {
        let key = RecordKey(author: Samples.ana.address, kind: .listing, slot: .zero)
        let early = version(key, at: 1, id: 1)
        let pair = [version(key, at: 2, id: 8), version(key, at: 2, id: 9)]
        let (tied, late) = pair[0].id < pair[1].id ? (pair[0], pair[1]) : (pair[1], pair[0])

        #expect(RecordVersion.merged([early, late, tied]) == [tied])
        #expect(tied.precedes(late) && late.precedes(early) && !early.precedes(early))
    }

    @Test func `keeps the two reviews with the lowest ids in a slot`() {
        let key = RecordKey(author: Samples.ana.address, kind: .review, slot: .zero)
        let versions = (1...5).map { version(key, at: UInt64($0), id: UInt8($0)) }
        let lowest = versions.sorted { $0.id < $1.id }.prefix(2)
        #expect(RecordVersion.merged(versions) == Set(lowest))
        #expect(RecordVersion.merged(versions.reversed()) == Set(lowest))
        #expect(RecordVersion.merged(versions.prefix(1)) == [versions[0]])
    }

    @Test func `keeps an author's sixteen latest devices, including withdrawn ones`() {
        let versions = (1...20).map { index in
            version(
                RecordKey(
                    author: Samples.ana.address,
                    kind: .device,
                    slot: Bytes32(repeating: UInt8(index))
                ),
                at: UInt64(index),
                id: UInt8(index)
            )
        }
        let kept = RecordVersion.merged(versions)
        #expect(kept == Set(versions.suffix(16)))
    }

    @Test func `an author's next version is always later than the last`() {
        let now = Timestamp(milliseconds: 5)
        #expect(RecordVersion.next(after: nil, now: now) == now)
        #expect(RecordVersion.next(after: Timestamp(milliseconds: 3), now: now) == now)
        #expect(
            RecordVersion.next(after: Timestamp(milliseconds: 9), now: now)
                == Timestamp(milliseconds: 10)
        )
    }

    /// Returns one of few authors, slots and times, so that ties and limits are frequent.
    private func version(using random: inout SeededRandom) -> RecordVersion {
        let author = [Samples.ana, Samples.bo][Int(random.next() % 2)].address
        let kind: RecordKind = [.device, .profile, .listing, .review][Int(random.next() % 4)]
        let slot = Bytes32(repeating: UInt8(random.next() % 24))
        return version(
            RecordKey(author: author, kind: kind, slot: kind == .profile ? .zero : slot),
            at: random.next() % 12,
            id: UInt8(random.next() % 250)
        )
    }

    private func version(_ key: RecordKey, at time: UInt64, id: UInt8) -> RecordVersion {
        // An id is a hash of everything else, so different keys or times have different ids.
        let id = Keccak256.hash(
            key.author.bytes + key.slot.bytes + [key.kind.rawValue, UInt8(time), id]
        )
        return RecordVersion(
            key: key,
            createdAt: Timestamp(milliseconds: time),
            id: RecordID(id)
        )
    }
}
