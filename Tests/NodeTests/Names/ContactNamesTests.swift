import Client
import Keys
import Node
import Support
import Testing

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

    @Test func `an arbiter is an address or an account of this node, and no contact's name`()
        async throws
    {
        try await ChatTests.pair { town, one, two, ana, bo in
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
            #expect(refused?.detail.contains("whole address") == true)
            #expect(try await ids.arbiter("ANA", for: ana, isLocal: true) == ana.checksummed)
            for text in [bo.checksummed, String(bo.checksummed.prefix(8))] {
                #expect(try await ids.arbiter(text, for: ana, isLocal: true) == text)
            }
        }
    }
}
