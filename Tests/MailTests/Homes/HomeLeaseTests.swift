import Answers
import Client
import Foundation
import Mail
import MailSupport
import Market
import Records
import Storage
import Support
import Testing

/// Homes whose leases end soon.
@Suite(.timeLimit(.minutes(2)))
struct HomeLeaseTests {
    private static func run(
        lease: Duration,
        _ body: (ChatHarness, ChatNode, ChatNode) async throws -> Void
    ) async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let home = try await harness.start("home", in: folders[1], lease: lease)
            try await body(harness, one, home)
        }
    }

    /// - From peers: a home whose leases end within an hour → refused
    @Test func `refuses a home that keeps mail for only an hour`() async throws {
        try await Self.run(lease: .seconds(3_600)) { _, one, home in
            let ana = try await one.createAccount("ana")
            let error = await #expect(throws: Refusal.self) {
                _ = try await one.chat.homes.add(HomeRequest(address: home.address), for: ana)
            }
            #expect(error?.code == .homeRefused)
            #expect(error?.detail.contains("less than 12 hours") == true)
            let codes = ["refusal.noHome", "refusal.homeShortLease", "refusal.otherHome"]
            #expect(error?.reason?.map(\.code) == codes)
            #expect(try await one.chat.homes.all(of: ana).count == 1)
        }
    }

    /// - From peers: a home whose leases end within hours → renewed every six hours at most
    @Test func `a home with short leases does not cause endless profiles`() async throws {
        try await Self.run(lease: .days(1)) { harness, one, home in
            let ana = try await one.createAccount("ana")
            _ = try await one.chat.homes.add(HomeRequest(address: home.address), for: ana)
            await harness.runAll()
            let first = try one.store.read { try $0.profile(of: ana)?.record.version.id }
            await harness.runAll(times: 100)
            let later = try one.store.read { try $0.profile(of: ana)?.record.version.id }
            #expect(first != nil && later == first)
            // Every six hours it is renewed.
            harness.clock.advance(by: 6 * 3_600)
            await harness.runAll()
            let renewed = try one.store.read { try $0.profile(of: ana)?.record.version.id }
            #expect(renewed != first)
            let held = try await one.chat.homes.all(of: ana).first { !$0.isThisNode }
            let until = try #require(held).until
            #expect(until > harness.clock.now.addingTimeInterval(23 * 3_600))
        }
    }
}
