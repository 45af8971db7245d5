import Client
import Foundation
import Support
import Testing

@testable import CLI

/// A person's name as that of a conversation.
struct ChatNewestTests {
    private static let refusal = """
        {"type":"","title":"","status":409,"code":"ambiguous_id","detail":"'bo' matches several."}
        """

    private static let unknown = """
        {"type":"","title":"","status":404,"code":"unknown_conversation","detail":"None."}
        """

    private static func names(_ accounts: String...) -> String {
        "["
            + accounts.map { #"{"account":"\#($0)","name":"Bo","isHere":false}"# }
            .joined(separator: ",") + "]"
    }

    private static func conversation(_ id: String, _ with: String, _ title: String) -> String {
        #"{"id":"0x\#(id)00000000","with":"\#(with)","title":"\#(title)","unread":0,"isRequest":false}"#
    }

    /// Runs commands with a node at which `bo` has the conversations of two sales.
    private func withNode(
        names: String,
        _ body: (Program, ScriptedServer) throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let list = [
            Self.conversation("aaaaaaaa", "0x9", "Boat"),
            Self.conversation("bbbbbbbb", "0x2", "Lamp"),
            Self.conversation("cccccccc", "0x2", "Kettle"),
        ].joined(separator: ",")
        try await ScriptedServer.scoped(
            answer: { request, place in
                switch request.uri.prefix(while: { $0 != "?" }) {
                case "/v1/conversations/bo/messages": .json(409, Self.refusal)
                case "/v1/conversations/Cy/messages", "/v1/conversations/dora/messages":
                    .json(404, Self.unknown)
                case "/v1/conversations": .json(200, #"{"items":[\#(list)],"isLast":true}"#)
                case "/v1/names": .json(200, names)
                default: document.good(request, place)
                }
            }
        ) { node, server in
            try body(try Program.signedIn(at: node, in: folder.path("data")), server)
        }
    }

    @Test func `a name means the newest conversation with its account`() async throws {
        try await withNode(names: Self.names("0x2")) { stoa, server in
            let note =
                "The newest of your conversations with bo: bbbbbbbb about 'Lamp'. For another "
                + "one give its id: stoa chat list\n"
            for command in [["show", "bo"], ["send", "bo", "Hello"]] {
                let end = try stoa.run(all: ["chat"] + command)
                #expect(end.code == 0 && end.out.hasPrefix(note), "\(end)")
                let last = server.requests.last { $0.uri.contains("/messages") }
                #expect(last?.uri.hasPrefix("/v1/conversations/0xbbbbbbbb00000000/") == true)
            }
            let json = try stoa.run("chat", "send", "bo", "Hello", "--json")
            #expect(json.code == 0 && json.out.hasPrefix("{"), "\(json)")
        }
    }

    /// - From commands: writing to a name that two accounts have → exit 2
    @Test func `a name of two accounts means no conversation`() async throws {
        try await withNode(names: Self.names("0x2", "0x9")) { stoa, server in
            let end = try stoa.run("chat", "send", "bo", "Hello")
            #expect(end.code == 2 && end.words.contains("matches several"), "\(end.words)")
            #expect(server.requests.count { $0.method == "POST" } == 1)
        }
    }

    /// - From commands: writing to somebody with whom there is no conversation → exit 10, and how to
    ///   begin one
    @Test func `a name without a conversation is told how to begin one`() async throws {
        let names = #"[{"account":"0x3","name":"cy","isHere":false}]"#
        try await withNode(names: names) { stoa, _ in
            for command in [["send", "Cy", "Hello"], ["show", "Cy"]] {
                let end = try stoa.run(all: ["chat"] + command)
                #expect(end.code == 10, "\(end)")
                #expect(end.words.contains("stoa chat open Cy --message TEXT"), "\(end.words)")
            }
            let stranger = try stoa.run("chat", "send", "dora", "Hello")
            #expect(
                stranger.code == 10 && stranger.words.contains("None. See yours: stoa chat list")
            )
        }
    }
}
