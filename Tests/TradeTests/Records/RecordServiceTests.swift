import Answers
import Client
import Contracts
import Ethereum
import GossipProtocol
import Keys
import Market
import Records
import Storage
import Support
import Testing
import Trade

struct RecordServiceTests {
    private static let mapBytes = 1 << 26

    private static func recordService(
        _ store: Store,
        _ budgets: RecordAdmissionLimits = RecordAdmissionLimits()
    ) -> RecordService {
        RecordService(
            store: store,
            network: "test",
            rules: .light,
            budgets: budgets,
            view: SaleIndex(deployment: DeployedMarket(), confirmations: 3, clock: ManualClock()),
            announce: { _ in },
            logger: quiet
        )
    }

    /// - From peers: more unvouched records than there is room for → the least
    ///   useful are removed
    @Test func `records without a sale stay within the room of the store`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.openLaneBytesMax = 2_000
        let store = try Store(folder: folder.path, mapBytes: Self.mapBytes, limits: limits)
        let recordService = Self.recordService(store)
        var (byteCount, taken) = (0, 0)
        for number in 1...30 {
            let key = testKey(UInt8(number))
            let profile = try Profile(name: "Nobody \(number)")
            do {
                byteCount += try await recordService.publish(.profile(profile), by: key).bytes.count
                taken += 1
            } catch let refusal as Refusal {
                #expect(refusal.code == .storeFull)
            }
        }
        let kept = try store.read { try $0.recordCount() }
        let bytes = try store.read { try $0.openLaneBytes() }
        // Of two of the same millisecond, the later may take the place of the other.
        #expect(kept > 3 && kept <= taken && byteCount > 2_000 / 2)
        #expect(bytes <= 2_000)
    }

    @Test func `tries in a full store use up nothing of what others take`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.reservedBytes = Self.mapBytes
        let store = try Store(folder: folder.path, mapBytes: Self.mapBytes, limits: limits)
        var budgets = RecordAdmissionLimits()
        budgets.author.allowanceBytes = 1_000
        budgets.author.firstBytes = 1_000
        let recordService = Self.recordService(store, budgets)
        let profile = RecordContent.profile(try Profile(name: "Ana"))
        for _ in 0..<20 {
            let error = await #expect(throws: StorageError.self) {
                try await recordService.publish(profile, by: testKey(1))
            }
            #expect(error?.isLackOfRoom == true)
        }
    }

    @Test func `publishes a withdrawal although the store has little room`() async throws {
        let folder = try TemporaryFolder()
        let profile = RecordContent.profile(try Profile(name: "Ana"))
        do {
            let store = try Store(folder: folder.path, mapBytes: Self.mapBytes)
            _ = try await Self.recordService(store).publish(profile, by: testKey(1))
        }
        var limits = StoreLimits()
        limits.reservedBytes = Self.mapBytes
        let store = try await waitFor {
            do {
                return try Store(folder: folder.path, mapBytes: Self.mapBytes, limits: limits)
            } catch StorageError.locked {
                return nil
            }
        }
        let recordService = Self.recordService(store)
        await #expect(throws: StorageError.self) {
            try await recordService.publish(profile, by: testKey(1))
        }
        _ = try await recordService.publish(.withdrawal(.profile), by: testKey(1))
        let key = RecordKey(author: testKey(1).address, kind: .profile, slot: .zero)
        let kept = try store.read { try $0.record(in: key) }
        #expect(kept?.readable()?.content == .withdrawal(.profile))
    }
}
