import Keys
import Market
import Storage
import Support
import Testing
import Texts

/// The room that a store keeps for what must always work.
struct StoreRoomTests {
    private static let account = testKey(1).address
    private static let talk = Bytes32(repeating: 1)

    private static func number(_ number: Int) -> MessageNumberKey {
        MessageNumberKey(
            account: account,
            conversation: talk,
            device: .zero,
            number: UInt64(number)
        )
    }

    @Test func `refuses additions while there is little room, and nothing else`() async throws {
        let folder = try TemporaryFolder()
        let mapBytes = 8 << 20
        var limits = StoreLimits()
        limits.reservedBytes = mapBytes / 16
        let store = try Store(folder: folder.path, mapBytes: mapBytes, limits: limits)
        #expect(try store.room().warning == nil)
        let text = [UInt8](repeating: 7, count: 20_000)
        var count = 0
        var wasScarce = false
        await #expect(throws: StorageError.mapFull(.begin)) {
            while true {
                count += 1
                _ = try await store.add { [count] in
                    try $0.appendMessage(text, as: Self.number(count))
                }
                wasScarce = try wasScarce || (store.room().isScarce && !store.room().isFull)
            }
        }
        let full = try store.room()
        #expect(full.isFull && wasScarce && full.freeBytes > limits.reservedBytes / 2)
        #expect(full.warning?.detail.contains("store.mapGibibytes") == true)
        // A sweep is short, so that it needs little of the room that it frees.
        let swept = try await store.write { $0.limits.sweepEntriesMax }
        #expect(swept == limits.scarceSweepEntriesMax && swept < limits.sweepEntriesMax)

        // What must work still does, often.
        for byte in 1...100 as ClosedRange<UInt8> {
            try await store.write { try $0.put(AccountEntries.self, Self.account, [byte]) }
        }
        try await store.write { try $0.removeConversation(Self.talk, of: Self.account) }
        let empty = try store.room()
        #expect(empty.warning == nil && empty.usedBytes < full.usedBytes / 2)
        #expect(empty.fileBytes >= full.fileBytes)
        _ = try await store.add { try $0.appendMessage(text, as: Self.number(1)) }
    }

    @Test func `keeps the reserve, however many add at once`() async throws {
        let folder = try TemporaryFolder()
        let mapBytes = 32 << 20
        var limits = StoreLimits()
        limits.groupWritesMax = 64
        limits.reservedBytes = mapBytes / 16
        let store = try Store(folder: folder.path, mapBytes: mapBytes, limits: limits)
        let text = [UInt8](repeating: 7, count: 20_000)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...4_000 {
                group.addTask {
                    // Those after the last that fits are refused.
                    _ = try? await store.add {
                        try $0.appendMessage(text, as: Self.number(number))
                    }
                }
            }
        }
        let room = try store.room()
        #expect(room.isFull && room.freeBytes > limits.reservedBytes / 2, "\(room)")
    }
}
