import Foundation
import GossipProtocol
import Keys
import Market
import Support
import Testing

struct HostKeyTests {
    private struct Vector: Decodable {
        let `public`: String
    }

    @Test func `reads the keys of libp2p's specification`() throws {
        let file = VectorFolder.file("libp2p/keys.json")
        guard VectorFolder.isPresent else {
            print("key encodings: 0 cases, \(file.path) is absent")
            return
        }
        let vectors = try JSONDecoder().decode([String: Vector].self, from: Data(contentsOf: file))
        for (name, vector) in vectors {
            let message = try #require(Hex.decode(vector.public))
            let key = try HostKey(message: message)
            #expect(key.message == message, "\(name)")
        }
        #expect(vectors.count == 3)
        print("key encodings: \(vectors.count) cases")
    }

    @Test func `signs only for its own peer id`() throws {
        let identity = PrivateKey.random()
        let key = HostKey(identity.publicKey)
        let signature = HostKey.sign([1, 2, 3], with: identity)
        #expect(try HostKey(message: key.message) == key)
        #expect(key.peer.text.hasPrefix("16Uiu2HA"))
        #expect(key.verifies(signature, of: [1, 2, 3]))
        #expect(!key.verifies(signature, of: [1, 2, 4]))
        #expect(!HostKey(PrivateKey.random().publicKey).verifies(signature, of: [1, 2, 3]))
        #expect(!key.verifies(signature + [0], of: [1, 2, 3]))
        #expect(!key.verifies([], of: [1, 2, 3]))
    }

    @Test func `refuses keys of other types and encodings, with the reason`() {
        let good = HostKey(PrivateKey.random().publicKey).message
        func error(_ message: [UInt8]) -> HostKeyError? {
            do throws(HostKeyError) {
                _ = try HostKey(message: message)
                return nil
            } catch {
                return error
            }
        }
        #expect(error(good) == nil)
        #expect(error(good + [0]) == .malformed)
        #expect(error(good + [0x18, 0]) == .malformed)
        #expect(error(Array(good[2...] + good[..<2])) == .malformed)
        #expect(error([8, 0, 18, 1, 1]) == .rsa)
        #expect(error([8, 9, 18, 1, 1]) == .unknownType(9))
        #expect(error([8, 1, 18, 1, 1]) == .notAKey)
        #expect(error([8, 2, 18, 33] + Array(repeating: 0xFF, count: 33)) == .notAKey)
        #expect(error([8, 3, 18, 1, 1]) == .notAKey)
        for end in 0..<good.count { #expect(error(Array(good[..<end])) == .malformed) }
    }
}
