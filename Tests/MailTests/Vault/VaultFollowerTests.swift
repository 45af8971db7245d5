import Client
import Foundation
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

/// What an account does on one of its nodes and finds done on the other.
@Suite(.timeLimit(.minutes(5)))
struct VaultFollowerTests {
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"

    /// Two nodes with Ana's account, and a third with Bo's.
    private static func run(
        strangers: Bool = false,
        _ body: (
            _ harness: ChatHarness,
            _ one: ChatNode,
            _ two: ChatNode,
            _ ana: Address,
            _ three: ChatNode,
            _ bo: Address
        ) async throws -> Void
    ) async throws {
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let two = try await harness.start("two", in: folders[1])
            let three = try await harness.start("three", in: folders[2])
            let ana = try await one.createAccount("ana", phrase: phrase)
            _ = try await two.createAccount("ana", phrase: phrase)
            let bo = try await three.createAccount("bo")
            if !strangers { harness.joinSale(bo) }
            await harness.runAll()
            try await body(harness, one, two, ana, three, bo)
        }
    }

    private static func blocked(_ node: ChatNode, _ account: Address) async throws -> [String] {
        try await node.chat.blocked(by: account).map(\.account)
    }

    private static func unread(_ node: ChatNode, _ account: Address) async throws -> [Int] {
        try await node.conversations(of: account).map(\.unread)
    }

    @Test func `blocking and unblocking on one node take effect on the other`() async throws {
        try await Self.run { harness, one, two, ana, _, bo in
            _ = try await one.chat.block(bo.checksummed, by: ana)
            await harness.runAll()
            #expect(try await Self.blocked(two, ana) == [bo.checksummed])
            harness.clock.advance(by: 60)
            try await two.chat.unblock(bo.checksummed, by: ana)
            await harness.runAll()
            #expect(try await Self.blocked(one, ana).isEmpty)
            #expect(try await Self.blocked(two, ana).isEmpty)
        }
    }

    @Test func `acceptance on one node takes effect on the other`() async throws {
        try await Self.run(strangers: true) { harness, one, two, ana, three, bo in
            try await three.write("Hello", to: ana, by: bo)
            await harness.runAll()
            let request = try #require(try await one.requests(of: ana).first)
            #expect(try await two.requests(of: ana).map(\.id) == [request.id])
            try await one.chat.accept(request.id, by: ana)
            await harness.runAll()
            #expect(try await two.requests(of: ana).isEmpty)
            #expect(try await two.conversations(of: ana).map(\.isRequest) == [false])
            // Who was accepted can be blocked all the same.
            _ = try await two.chat.block(bo.checksummed, by: ana)
            await harness.runAll()
            #expect(try await Self.blocked(one, ana) == [bo.checksummed])
        }
    }

    @Test func `one pass writes an acceptance and what was read at once`() async throws {
        try await Self.run(strangers: true) { harness, one, _, ana, three, bo in
            try await three.write("Hello", to: ana, by: bo)
            await harness.runAll()
            func segments() throws -> Int {
                try one.store.read { try $0.entries(VaultSegments.self, .prefix(ana)).count }
            }
            let before = try segments()
            let request = try #require(try await one.requests(of: ana).first)
            try await one.chat.accept(request.id, by: ana)
            try await one.readAll(request.id, by: ana)
            await one.chat.runOnce()
            #expect(try segments() == before + 1)
            #expect(try one.store.read { try $0.count(AcceptancesDue.self) } == 0)
        }
    }

    @Test func `a message read on one node counts as read on the other`() async throws {
        try await Self.run { harness, one, two, ana, three, bo in
            try await one.write("hello", to: bo, by: ana)
            await harness.runAll()
            try await three.write("first", to: ana, by: bo)
            try await three.write("second", to: ana, by: bo)
            await harness.runAll()
            #expect(try await Self.unread(one, ana) == [2])
            #expect(try await Self.unread(two, ana) == [2])
            let conversation = try #require(try await one.conversations(of: ana).first)
            try await one.readAll(conversation.id, by: ana)
            #expect(try await Self.unread(one, ana) == [0])
            await harness.runAll()
            #expect(try await Self.unread(two, ana) == [0])
            // The next one is unread on both.
            try await three.write("third", to: ana, by: bo)
            await harness.runAll()
            #expect(try await Self.unread(one, ana) == [1])
            #expect(try await Self.unread(two, ana) == [1])
        }
    }
}
