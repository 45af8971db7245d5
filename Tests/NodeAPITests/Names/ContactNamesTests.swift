import AccountAccess
import Answers
import Client
import Keys
import Mail
import MailSupport
import Market
import NodeAPI
import Records
import Support
import Testing
import Trade

/// What names that others have chosen stand for.
@Suite(.timeLimit(.minutes(5)))
struct ContactNamesTests {
    private static func resolver(_ node: ChatNode) -> IDResolver {
        IDResolver(
            store: node.store,
            operations: OperationLog(store: node.store, events: node.events),
            names: NameBook(accounts: node.accounts, chat: node.chat, store: node.store),
            market: nil
        )
    }

    private static func rename(
        _ account: Address,
        _ name: String,
        on node: ChatNode,
        _ harness: ChatHarness
    ) async throws {
        harness.clock.advance(by: 1)
        let key = try #require(await node.accounts.key(of: account))
        _ = try await node.recordService.publish(.profile(try Profile(name: name)), by: key)
    }

    /// - From people: an arbiter named by a name that no account of this node has → bad_address
    @Test func `an arbiter is an address or a local account, not a contact's name`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await one.write("Hello.", to: bo, by: ana)
            let ids = Self.resolver(one)
            #expect(
                try await ids.account("bo", for: ana, isLocal: true, field: "with")
                    == bo.checksummed
            )
            let refused = await #expect(throws: Refusal.self) {
                try await ids.arbiter("bo", for: ana, isLocal: true)
            }
            #expect(refused?.code == .badAddress && refused?.field == "terms.arbiter")
            #expect(refused?.detail.contains("full address") == true)
            #expect(try await ids.arbiter("ANA", for: ana, isLocal: true) == ana.checksummed)
            for text in [bo.checksummed, String(bo.checksummed.prefix(8))] {
                #expect(try await ids.arbiter(text, for: ana, isLocal: true) == text)
            }
        }
    }

    /// - From people: a contact's name that could be the beginning of an address or id → it does
    ///   not match the contact
    @Test func `a contact named like another's id is not found by that name`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await one.write("Hello.", to: bo, by: ana)
            let ids = Self.resolver(one)
            func account(_ text: String) async throws -> String {
                try await ids.account(text, for: ana, isLocal: true, field: "with")
            }
            #expect(try await account("bo") == bo.checksummed)
            let begin = String(ana.checksummed.lowercased().prefix(10))
            try await Self.rename(bo, begin, on: two, harness)
            #expect(try await account(begin) == ana.checksummed)
            let names = NameBook(accounts: one.accounts, chat: one.chat, store: one.store)
            #expect(try await names.names(for: ana, isLocal: true).map(\.name) == ["ana"])
            try await Self.rename(bo, "abba", on: two, harness)
            #expect(try await account("abba") == "abba")
            try await Self.rename(bo, "Bob", on: two, harness)
            #expect(try await account("bob") == bo.checksummed)
        }
    }

    /// - From people: a contact's name that looks like the name of another contact or of an account
    ///   of this node (UTS #39: letters of other scripts, `1` and `l`, `rn` and `m`), or like an
    ///   address, or that contains an invisible letter → malformed_value
    @Test func `refuses a contact name with a lookalike or an invisible letter`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let names = ContactNames(chat: one.chat)
            let (cy, di) = (testKey(70).address.checksummed, testKey(71).address.checksummed)
            _ = try await names.put("Cy from Paris", for: cy, by: ana)
            for (name, word) in [
                ("Cy fr\u{43E}m Paris", "your contact 'Cy from Paris'"),
                ("Сy frorn Pаris", "your contact 'Cy from Paris'"),
                ("\u{430}na", "this node's account 'ana'"), ("Di\u{3164}", "an invisible"),
                ("Ox5290a1", "an address"), ("0х5290", "an address"),
            ] {
                let refused = await #expect(throws: Refusal.self, "\(name)") {
                    try await names.put(name, for: di, by: ana)
                }
                #expect(refused?.code == .malformedValue && refused?.field == "name")
                #expect(refused?.detail.contains(word) == true, "\(refused?.detail ?? "")")
                #expect(refused?.reason?.count == 1)
            }
            // Its own may be written otherwise.
            _ = try await names.put("Cy fr\u{43E}m Paris", for: cy, by: ana)
            _ = try await names.put("Di", for: di, by: ana)
            #expect(try await names.all(of: ana).count == 2)
            // One that a contact chose itself means nobody if it looks like another's.
            try await one.write("Hello.", to: bo, by: ana)
            func known() async throws -> [String] {
                let book = NameBook(accounts: one.accounts, chat: one.chat, store: one.store)
                return try await book.names(for: ana, isLocal: true).map(\.name)
            }
            try await Self.rename(bo, "\u{410}n\u{430}", on: two, harness)
            #expect(try await !known().contains("\u{410}n\u{430}"))
            try await Self.rename(bo, "Bob", on: two, harness)
            #expect(try await known().contains("Bob"))
        }
    }

    /// - From people: a name that the caller has given, if a newer account of this node has it too, or
    ///   one that looks like it → ambiguous_id
    @Test func `a new account does not take over a name that the caller has given`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let (ids, names) = (Self.resolver(one), ContactNames(chat: one.chat))
            let (zoe, dave) = (testKey(70).address.checksummed, testKey(71).address.checksummed)
            _ = try await names.put("Zoe", for: zoe, by: ana)
            _ = try await names.put("dave", for: dave, by: ana)
            for name in ["zoe", "d\u{430}ve"] { _ = try await one.createAccount(name) }
            func account(_ text: String, isLocal: Bool = true) async throws -> String {
                try await ids.account(text, for: ana, isLocal: isLocal, field: "to")
            }
            for text in ["zoe", "ZOE", "d\u{430}ve"] {
                var refused = await #expect(throws: Refusal.self) { try await account(text) }
                #expect(refused?.code == .ambiguousID, "\(text)")
                refused = await #expect(throws: Refusal.self) {
                    try await ids.arbiter(text, for: ana, isLocal: true)
                }
                #expect(refused?.code == .ambiguousID, "\(text)")
            }
            for isLocal in [true, false] {
                #expect(try await account("Zoe", isLocal: isLocal) == zoe)
                #expect(try await account("dave", isLocal: isLocal) == dave)
            }
            #expect(try await account("zoe", isLocal: false) == zoe)
            // An account of this node is found by both of its names.
            let cy = try await one.createAccount("cy").checksummed
            _ = try await names.put("Cyril", for: cy, by: ana)
            #expect(try await account("cy") == cy)
            #expect(try await account("cyril") == cy)
            let book = NameBook(accounts: one.accounts, chat: one.chat, store: one.store)
            let shown = try await book.names(for: ana, isLocal: true).filter { $0.account == cy }
            #expect(shown.map(\.name) == ["Cyril"] && shown.map(\.isHere) == [true])
        }
    }

    /// - From people: an answer to a stranger's request, named by the beginning of its id →
    ///   unknown_conversation
    /// - From people: a name that is also the beginning of another conversation's id; sending to a
    ///   stranger's request by the beginning of its id → ambiguous_id, unknown_conversation
    @Test func `does not answer a stranger's request named by an id prefix`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            try await two.write("Send it to me.", to: ana, by: bo)
            await harness.runAll()
            let request = try #require(try await one.requests(of: ana).first).id
            let text = String(request.dropFirst(2).prefix(6))
            let ids = Self.resolver(one)
            func found(_ isForSending: Bool) async throws -> String {
                try await ids.conversation(
                    text,
                    of: ana,
                    isLocal: true,
                    isForSending: isForSending
                )
            }
            #expect(try await found(false) == request)
            let unanswered = await #expect(throws: Refusal.self) { try await found(true) }
            #expect(unanswered?.code == .unknownConversation)
            #expect(unanswered?.detail.contains("Accept it first") == true)

            // Somebody here has just that name.
            let cy = try await one.createAccount(text)
            try await one.write("Hello.", to: cy, by: ana)
            let refused = await #expect(throws: Refusal.self) { try await found(false) }
            #expect(refused?.code == .ambiguousID)
            let meant = try await one.conversations(of: ana).first { $0.with == cy.checksummed }
            #expect(try await found(true) == meant?.id)
        }
    }
}
