import Concurrency
import Keys
import NIOCore
import NIOEmbedded

@testable import Gossip
@testable import GossipProtocol

/// Notes that a socket was asked to read.
private final class ReadNote: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var isAsked = false

    func read(context: ChannelHandlerContext) {
        isAsked = true
        context.read()
    }
}

/// One link of a node without a socket, with a peer that can send any frame.
///
/// Frames go through TLS as over a socket: bytes sent together form one record, up to its size.
final class EmbeddedLink {
    let budget: NodeBudget
    let link: LinkChannel
    /// Frames of the node that the test has not taken yet.
    private(set) var answers: [YamuxFrame] = []
    private let channel: EmbeddedChannel
    private let session: TLSSession
    private let reads = ReadNote()
    private var plain: [UInt8] = []

    init(
        limits: LinkLimits = LinkLimits(),
        budget: NodeBudget? = nil,
        from group: AddressGroup? = nil
    ) throws {
        let budget = budget ?? NodeBudget(limits: limits)
        self.budget = budget
        channel = EmbeddedChannel()
        link = LinkChannel(
            shared: LinkChannel.Shared(
                limits: limits,
                credentials: try TLSCredentials(identity: .random()),
                budget: budget,
                time: SystemWallClock.seconds
            ),
            role: .listener,
            expecting: nil,
            from: group,
            loop: channel.embeddedEventLoop,
            arrivals: BoundedQueue(elementsMax: limits.yamux.streamsAcceptedMax)
        )
        session = try TLSSession(
            credentials: try TLSCredentials(identity: .random()),
            role: .dialer,
            expecting: nil,
            at: SystemWallClock.seconds()
        )
        try channel.pipeline.syncOperations.addHandler(link)
        try channel.pipeline.syncOperations.addHandler(reads, position: .first)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try shakeHands()
    }

    var end: LinkEnd? {
        var end: LinkEnd?
        link.ended.futureResult.assumeIsolated().whenSuccess { end = $0 }
        return end
    }

    /// Sends frames in one write, and collects the node's answers.
    func send(_ frames: [UInt8]) throws {
        try session.write(frames)
        try transmit()
    }

    func changeKey() throws {
        try session.updateKey()
        try transmit()
    }

    /// Takes the node's frames since the last call.
    func takeAnswers() throws -> [YamuxFrame] {
        try collect()
        defer { answers = [] }
        return answers
    }

    /// Asks the link to read its socket, as a socket does after each read; `false` if it waits.
    func readsOnce() -> Bool {
        if !reads.isAsked { channel.read() }
        defer { reads.isAsked = false }
        return reads.isAsked
    }

    func advance(by time: TimeAmount) {
        channel.embeddedEventLoop.advanceTime(by: time)
    }

    func close() throws {
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// Runs a task's call on the link's loop, and returns its outcome so far.
    func call<Value>(_ body: (EventLoopPromise<Value>) -> Void) -> Outcome<Value> {
        let outcome = Outcome<Value>()
        let promise = channel.embeddedEventLoop.makePromise(of: Value.self)
        promise.futureResult.assumeIsolated().whenComplete { outcome.result = $0 }
        body(promise)
        return outcome
    }

    /// The outcome of a call that may still be waiting.
    final class Outcome<Value> {
        fileprivate(set) var result: Result<Value, any Error>?
    }

    private func transmit() throws {
        if let bytes = session.takeOutput(allocator: channel.allocator) {
            try channel.writeInbound(bytes)
        }
        try collect()
    }

    private func shakeHands() throws {
        var upgrade = Upgrade(role: .dialer, session: session, allocator: channel.allocator)
        var isAgreed = false
        while !isAgreed {
            if let bytes = upgrade.takeOutput() { try channel.writeInbound(bytes) }
            guard let answer = try channel.readOutbound(as: ByteBuffer.self) else { continue }
            isAgreed = try upgrade.receive(answer) != nil
        }
        if let bytes = upgrade.takeOutput() { try channel.writeInbound(bytes) }
    }

    /// Decrypts the node's output and parses its frames.
    private func collect() throws {
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { session.receive(bytes) }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        reading: while true {
            switch try session.read(into: &buffer) {
            case .bytes(let count): plain += buffer[..<count]
            case .needsMore, .ended: break reading
            }
        }
        var index = 0
        while plain.count - index >= YamuxFrame.byteCount {
            let frame = try YamuxFrame(plain[index..<index + YamuxFrame.byteCount])
            let length = YamuxFrame.byteCount + (frame.kind == .data ? Int(frame.value) : 0)
            guard plain.count - index >= length else { break }
            index += length
            answers.append(frame)
        }
        plain.removeFirst(index)
    }
}
