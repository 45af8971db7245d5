import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Lists, requests and reviews by the first digits of their ids.
@Suite(.timeLimit(.minutes(2)))
struct ShortIDsTests {
    private static let author = "0x" + String(repeating: "a", count: 40)
    private static let ids = ["12345678", "1234aaaa"].map {
        "\(author).0x\($0)" + String(repeating: "0", count: 56)
    }
    private static let stranger = "0x8829" + String(repeating: "b", count: 36)

    private static func page(_ items: [some Codable & Hashable & Sendable]) throws -> String {
        let data = try WireCoding.encoder().encode(Page(items: items, next: nil))
        return String(decoding: data, as: UTF8.self)
    }

    private func asking(_ body: (StoaClient) async throws -> Void) async throws {
        let lists = zip(Self.ids, ["Copies", "Bad"]).map { id, name in
            Curation(
                id: id,
                author: Self.author,
                name: name,
                about: "",
                entries: [],
                createdAt: Date(timeIntervalSince1970: 0),
                isFollowed: false
            )
        }
        let request = Conversation(
            id: "0xd3b11e38" + String(repeating: "0", count: 56),
            with: Self.stranger,
            listing: nil,
            lastMessage: nil,
            unread: 1,
            isRequest: true
        )
        let answers = (try Self.page(lists), try Self.page([request]))
        try await ScriptedServer.scoped(answer: { request, _ in
            .json(200, request.uri.hasPrefix("/v1/curations") ? answers.0 : answers.1)
        }) { node, _ in
            try await StoaClient.scoped(node) { try await body($0) }
        }
    }

    @Test func `finds a list by its name or its first digits`() async throws {
        try await asking { node in
            let wanted = [
                "copies": Self.ids[0], "0x1234a": Self.ids[1], Self.ids[1]: Self.ids[1],
                "other": "other",
            ]
            for (text, id) in wanted {
                let found = try await ShortIDs.curation(text, node)
                #expect(found == id)
            }
            let several = await #expect(throws: Failure.self) {
                try await ShortIDs.curation("1234", node)
            }
            #expect(several?.message.contains("12345678 ('Copies' by 0xaaaa…aaaa)") == true)
        }
    }

    @Test func `finds who asks to write by the digits of address or request`() async throws {
        try await asking { node in
            for text in ["0x8829", "8829bb", "d3b11e38"] {
                let found = try await ShortIDs.requester(text, node)
                #expect(found == Self.stranger)
            }
            for text in ["bob", "0x77", Self.author] {
                let found = try await ShortIDs.requester(text, node)
                #expect(found == text)
            }
        }
    }
}
