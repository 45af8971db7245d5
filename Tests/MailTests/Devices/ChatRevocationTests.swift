import Answers
import Client
import Foundation
import Gossip
import GossipProtocol
import Keys
import Mail
import MailSupport
import Market
import Support
import Testing

/// An account's devices as their owner lists and revokes them.
@Suite(.timeLimit(.minutes(5)))
struct ChatRevocationTests {
    private static func refused(_ body: () async throws -> Void) async -> ProblemCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? Refusal)?.code
        }
    }

    @Test func `lists a device; once revoked, it neither sends nor fetches mail`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            harness.clock.advance(by: 1)
            let phone = try await ChatStrangerTests.phone(of: ana, on: one)
            let devices = try await one.chat.devices(of: ana)
            #expect(devices.map(\.name) == ["phone", "test"])
            #expect(devices.map(\.isThisNode) == [false, true])
            #expect(devices[0].id == DeviceCertificate.slot(of: phone.publicKey).hex)

            let home = one.links.localPeer
            try await two.exchange.reach(home, at: [one.links.address])
            _ = try await two.exchange.collect(ana, device: phone, from: home) { _ in true }

            harness.clock.advance(by: 1)
            let short = String(devices[0].id.dropFirst(2).prefix(8))
            try await one.chat.revoke(device: short, of: ana)
            #expect(try await one.chat.devices(of: ana).map(\.name) == ["test"])
            await #expect(throws: MailRefusal.unknownDevice) {
                try await two.exchange.collect(ana, device: phone, from: home) { _ in true }
            }
            // It stays revoked, and Bo's node, which has heard of it, takes nothing from it.
            let envelope = try await MailSample.envelope(
                from: ana,
                device: phone,
                text: "It is me",
                to: bo,
                at: two,
                harness
            )
            try await one.exchange.reach(two.links.localPeer, at: [two.links.address])
            _ = try await one.exchange.deposit([envelope], at: two.links.localPeer)
            await harness.runAll(times: 20)
            #expect(try await two.conversations(of: bo).isEmpty)
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.text) == ["Hello"])
        }
    }

    /// - From people: revoking this node's own device, or an id that matches no device or several →
    ///   not_allowed, not_found, ambiguous_id
    @Test func `revokes only another device of the same account`() async throws {
        try await ChatHarness.pair { _, one, two, ana, bo in
            let own = try #require(try await one.chat.devices(of: ana).first)
            let others = try #require(try await two.chat.devices(of: bo).first)
            let codes = [own.id, others.id, "", "0x", "zz"]
            var refusals: [ProblemCode?] = []
            for id in codes {
                refusals.append(
                    await Self.refused { try await one.chat.revoke(device: id, of: ana) }
                )
            }
            #expect(refusals == [.notAllowed, .notFound, .notFound, .notFound, .notFound])
            #expect(try await one.chat.devices(of: ana) == [own])
        }
    }
}
