import Answers
import Client
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

/// Homes that an account leaves.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HomeServiceTests {
    @Test func `the profile lists all homes added during a renewal of leases`() async throws {
        try await ChatHarness.pair(withThird: true) { harness, one, two, ana, _ in
            let third = try harness.node("three")
            // The clock stands still, so two profiles that build on the same one would tie.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for address in [two.address, third.address] {
                    group.addTask {
                        _ = try await one.chat.homes.add(HomeRequest(address: address), for: ana)
                    }
                }
                for _ in 0..<4 { group.addTask { await one.chat.runOnce() } }
                try await group.waitForAll()
            }
            let place = RecordKey(author: ana, kind: .profile, slot: .zero)
            let record = try one.store.read { try $0.record(in: place) }?.readable()
            guard case .profile(let profile)? = record?.content else { throw StreamEnded() }
            #expect(profile.homes.count == 3)
            #expect(try await one.chat.homes.all(of: ana).count == 3)
        }
    }

    /// - From people: removing this node, or a node that is not one of the account's homes, as a
    ///   home →
    ///   not_allowed, not_found
    @Test func `a removed home leaves the profile and delivers its mail one last time`()
        async throws
    {
        try await ChatHarness.pair(withThird: true) { harness, one, two, ana, bo in
            let third = try harness.node("three")
            let home = try await one.chat.homes.add(HomeRequest(address: third.address), for: ana)
            await harness.runAll()
            // Only the third node is there to take it.
            await harness.disconnect(one, two)
            try await two.write("for the last time", to: ana, by: bo)
            await two.chat.runOnce()
            #expect(try await two.messages(of: bo).map(\.heldBy) == [1])
            #expect(try await one.messages(of: ana).isEmpty)

            try await one.chat.homes.remove(String(home.peer.prefix(20)) + "…", of: ana)
            #expect(try await one.messages(of: ana).map(\.text) == ["for the last time"])
            let homes = try await one.chat.homes.all(of: ana)
            #expect(homes.map(\.isThisNode) == [true])
            let own = try #require(homes.first).peer

            for (text, code) in [
                (own, ProblemCode.notAllowed), (home.peer, .notFound), ("", .notFound),
                ("16Uiu2", .notAllowed),
            ] {
                let error = await #expect(throws: Refusal.self) {
                    try await one.chat.homes.remove(text, of: ana)
                }
                #expect(error?.code == code, "\(text)")
            }
            // It stays so in later passes.
            harness.reconnect(one, two)
            await harness.runAll()
            #expect(try await one.chat.homes.all(of: ana).map(\.peer) == [own])
        }
    }

    @Test func `the profile lists all homes added during its own renewal`() async throws {
        try await ChatHarness.pair(withThird: true) { harness, one, two, ana, _ in
            let third = try harness.node("three")
            // Each publishes the profile with what it knows; the stamp of one is made meanwhile.
            async let first = one.chat.homes.add(HomeRequest(address: third.address), for: ana)
            async let second = one.chat.homes.add(HomeRequest(address: two.address), for: ana)
            async let pass: Void = one.chat.runOnce()
            // A home is added only if the profile names it.
            let added = try await [first.peer, second.peer]
            await pass
            let homes = try await one.chat.homes.all(of: ana).map(\.peer)
            #expect(homes.count == 3 && Set(added).isSubset(of: homes))
        }
    }
}
