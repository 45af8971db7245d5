import Client
import Keys
import MailSupport
import Market
import Storage
import Support
import Testing

@testable import Mail

/// What a node takes of a vault that a home has.
///
/// Mail is imported as testable, because sections have no API of their own.
@Suite(.timeLimit(.minutes(5)))
struct VaultTakingTests {
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"

    @Test(arguments: [true, false])
    func `accepts a segment from a home only if a device signed it`(isSigned: Bool) async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let two = try await harness.start("two", in: folders[1])
            let ana = try await one.createAccount("ana", phrase: Self.phrase)
            _ = try await two.createAccount("ana", phrase: Self.phrase)
            await harness.runAll()
            let vault = try await two.chat.context.keyring.unlockedVault(ana)
            let device = PrivateKey.random()
            let slot = DeviceCertificate.slot(of: device.publicKey)
            let entry = try VaultEntry(
                section: .favourites,
                name: [1],
                value: [],
                time: harness.now,
                device: slot
            )
            var log = VaultLog(device: slot)
            let segment = VaultSegment(
                try #require(log.append([entry]).first),
                of: ana,
                network: vault.network,
                key: vault.key,
                signer: isSigned ? device : nil
            )
            try await two.store.write { _ = try $0.keepVault(segment) }
            await one.chat.runOnce()
            harness.clock.advance(by: 90)
            await one.chat.runOnce()
            let taken = try one.store.read { try $0.vaultMarks(of: ana) }
            #expect(taken.contains { $0.device == slot } == isSigned)
        }
    }
}
