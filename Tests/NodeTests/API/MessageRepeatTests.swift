import Client
import NIOHTTP1
import Support
import Testing

/// Messages that are sent twice over the API, as after a lost answer.
@Suite(.timeLimit(.minutes(5)))
struct MessageRepeatTests {
    @Test func `a key writes one message, even after a restart`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let (bo, talk) = try await node.talk()
            let sent = try await node.send("Hello", "k", in: talk, by: bo)
            #expect(sent.status == 201)
            #expect(try await node.send("Hello", "k", in: talk, by: bo).status == 201)
            let other = try await node.send("Hello!", "k", in: talk, by: bo)
            #expect(other.status == 409 && other.code == "idempotency_key_reused")
            let bare = try await node.send("Hello", nil, in: talk, by: bo)
            #expect(bare.status == 400 && bare.code == "idempotency_key_needed")
            #expect(try await node.messages(in: talk, of: bo).count == 1)
        }
        try await TestNode.run(in: folder.path) { node in
            let (bo, talk) = try await node.talk()
            let kept = try await node.messages(in: talk, of: bo)
            let again: Message = try await node.send("Hello", "k", in: talk, by: bo).read()
            #expect(kept.map(\.id) == [again.id])
            #expect(try await node.messages(in: talk, of: bo).count == 1)
            let other = try await node.send("Hello!", "k", in: talk, by: bo)
            #expect(other.code == "idempotency_key_reused")
        }
    }
}

extension TestNode {
    /// Bo's session, and his conversation with Ana on the same node.
    fileprivate func talk() async throws -> (bo: String, id: String) {
        let (ana, bo) = (try await signIn("ana"), try await signIn("bo"))
        let body = #"{"with":"\#(ana.account.address)"}"#
        // Her profile is made by the node's own pass over its accounts.
        return try await waitFor {
            let answer = try await call(.POST, "conversations", body: body, token: bo.token)
            guard answer.code != "unknown_recipient" else { return nil }
            return (bo.token, try answer.read(Conversation.self).id)
        }
    }

    fileprivate func send(
        _ text: String,
        _ key: String?,
        in talk: String,
        by token: String
    ) async throws -> Answer {
        try await call(
            .POST,
            "conversations/\(talk)/messages",
            body: #"{"text":"\#(text)"}"#,
            token: token,
            headers: key.map { ["idempotency-key": $0] } ?? [:]
        )
    }

    fileprivate func messages(in talk: String, of token: String) async throws -> [Message] {
        let path = "conversations/\(talk)/messages"
        return try await call(.GET, path, token: token).read(Page<Message>.self).items
    }
}
