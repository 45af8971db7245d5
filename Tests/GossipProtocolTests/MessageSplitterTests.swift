import GossipProtocol
import Testing

struct MessageSplitterTests {
    private static let messages: [[UInt8]] = [[1], [], Array(repeating: 7, count: 200), [2, 3]]

    @Test func `finds the messages however the bytes were split`() {
        let bytes = Self.messages.flatMap { Varint.encode($0.count) + $0 }
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var splitter = MessageSplitter(bytesMax: 200)
                var found: [[UInt8]] = []
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    splitter.append(Array(part))
                    while case .message(let message) = splitter.next() { found.append(message) }
                }
                #expect(found == Self.messages)
                #expect(splitter.isBetweenMessages)
            }
        }
    }

    /// - From peers: a message longer than allowed → the stream is reset before its bytes arrive
    @Test func `refuses a message by its length before its bytes arrive`() {
        var splitter = MessageSplitter(bytesMax: 200)
        splitter.append(Varint.encode(201))
        #expect(splitter.next() == .tooLong(byteCount: 201))
    }

    @Test func `refuses a length encoded in more bytes than necessary`() {
        var splitter = MessageSplitter(bytesMax: 200)
        splitter.append([0x81, 0x00])
        #expect(splitter.next() == .malformedLength)
    }
}
