import Client
import Foundation
import Testing

struct OperationTests {
    /// As a newer node may write it.
    private static let newer = """
        {"account":"0x1","createdAt":"2026-01-31T12:00:00.000Z","id":"7","kind":"auction",\
        "phases":[{"name":"estimate","state":"skipped"},{"name":"bridged","state":"running"}],\
        "state":"paused"}
        """

    @Test func `keeps values unchanged that only a newer node knows`() throws {
        let data = Data(Self.newer.utf8)
        let operation = try WireCoding.decoder().decode(Client.Operation.self, from: data)
        #expect(operation.kind == .other("auction"))
        #expect(operation.state == .other("paused") && operation.isRunning)
        #expect(operation.phases.map(\.name) == [.estimate, .other("bridged")])
        #expect(operation.phases.map(\.state) == [.other("skipped"), .running])
        let written = try WireCoding.encoder().encode(operation)
        #expect(String(decoding: written, as: UTF8.self) == Self.newer)
    }

    @Test func `each value of the API has its own case`() throws {
        try expect(
            Client.Operation.Kind.self,
            "list edit withdraw buy bid move collect arbitrate send"
        )
        try expect(
            Client.Operation.State.self,
            "running needs_unlock needs_signature done failed"
        )
        try expect(
            Client.Operation.Phase.Name.self,
            "estimate signed sent mined confirmed published told"
        )
        try expect(Client.Operation.Phase.State.self, "waiting running done failed")
    }

    private func expect<Value: ExtensibleEnumeration>(_ type: Value.Type, _ texts: String) throws {
        let texts = texts.split(separator: " ").map(String.init)
        let json = try WireCoding.encoder().encode(texts)
        let read = try WireCoding.decoder().decode([Value].self, from: json)
        #expect(read == type.known && Set(read).count == texts.count)
        #expect(try WireCoding.encoder().encode(type.known) == json)
    }
}
