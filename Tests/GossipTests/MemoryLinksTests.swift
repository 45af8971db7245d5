import Gossip
import Market
import Support
import Testing

struct MemoryLinksTests {
    @Test func `carries messages both ways until cancelled`() async throws {
        let network = MemoryNetwork()
        let ana = network.node(PeerID(multihash: [1]), port: 1)
        let bo = network.node(PeerID(multihash: [2]), port: 2)
        await bo.handle(protocol: "/echo/1") { stream in
            var messages = stream.messages(bytesMax: 100)
            while let message = try await messages.next() {
                try await stream.writeMessage(message.reversed())
            }
        }
        let answer = try await withThrowingTaskGroup { group in
            group.addTask { try await ana.run() }
            group.addTask { try await bo.run() }
            let peer = try await ana.dial(bo.address)
            let stream = try await ana.open(protocols: ["/none/1", "/echo/1"], to: peer)
            try await stream.writeMessage([1, 2, 3])
            try await stream.closeWrite()
            var messages = stream.messages(bytesMax: 100)
            let answer = try await messages.next()
            #expect(try await messages.next() == nil)
            group.cancelAll()
            return answer
        }

        #expect(answer == [3, 2, 1])
    }
}
