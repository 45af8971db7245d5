import Market

/// Bounds on the resources that other peers can make this node spend on blobs, as an asker and as
/// an answerer.
///
/// Source: Docs/protocol.md, section 11.7.
package struct BlobExchangeLimits: Sendable {
    /// Chunks in one question.
    package var chunksMax = 16
    package var questionBytesMax = 64
    /// A chunk with its proof and framing.
    package let answerBytesMax = BlobLength.chunkByteCountMax + 512
    /// Questions answered on one stream before it is closed.
    package var questionsMax = 64
    /// Streams of one peer, and of all peers.
    package var streamsPerPeerMax = 8
    package var streamsMax = 64
    /// Streams to one peer that this node has open as an asker; further ones wait.
    ///
    /// Fewer than the peer admits, because it learns later than this node that a stream has ended.
    package var ownStreamsPerPeerMax: Int { max(1, streamsPerPeerMax - 2) }
    /// For the next question, and for sending one answer.
    package var exchangeMax = Duration.seconds(20)
    /// Bytes that one address may ask for at once, and in each second after.
    package var burstBytes = 48 << 20
    package var bytesPerSecond = 4 << 20
    /// Bytes for the askers of one subnet together (/24, /48), and for all askers.
    package var shares = FairBudgetLimits(
        bytesPerSecond: 32 << 20,
        shareBytesPerSecond: 8 << 20,
        allowanceBytes: 96 << 20,
        firstBytes: 48 << 20,
        newcomersBytes: 512 << 20,
        newcomersBytesPerSecond: 8 << 20,
        keysMax: 4_096
    )
    /// The fixed cost of a question, besides the chunks that it asks for.
    package var questionCost = 4_096
    /// How long a question may wait for its address's allowance before it is refused.
    package var paceMax = Duration.seconds(4)
    /// Peers asked for one blob at a time, and in all.
    package var peersAtOnceMax = 4
    package var peersMax = 64
    /// For opening a stream, and for the next chunk of an answer.
    package var chunkMax = Duration.seconds(8)
    /// The same for a peer that was too slow not long ago.
    package var slowChunkMax = Duration.seconds(2)
    /// How long such a peer is remembered, and how many are.
    package var slownessMax = Duration.seconds(600)
    package var slowPeersMax = 1_024
    /// The bytes of a blob that must arrive per second, or else more peers are asked; how often
    /// that is checked; and how many peers are then asked at a time.
    package var bytesPerSecondMin = 256 << 10
    package var nextPeerInterval = Duration.milliseconds(500)
    package var peersAtOnceIfSlowMax = 16
    /// The slow peers that are dropped for others each time.
    package var peersLeftAtOnceMax = 4

    package init() {}

    /// Stops the program if limits contradict each other.
    package func check() {
        precondition(
            answerBytesMax <= MessageSplitter.messageBytesMax,
            "an answer could not be read"
        )
        precondition(streamsPerPeerMax <= streamsMax, "one peer may not exceed the whole")
        precondition(chunksMax > 0 && peersAtOnceMax > 0, "nothing could be fetched")
        precondition(
            peersLeftAtOnceMax < peersAtOnceIfSlowMax && bytesPerSecondMin >= peersAtOnceIfSlowMax,
            "some peers are kept"
        )
        precondition(
            questionCost + chunksMax * answerBytesMax <= shares.firstBytes,
            "a newcomer's question would never be answered"
        )
        precondition(
            questionCost + chunksMax * answerBytesMax <= burstBytes,
            "a whole question would never be answered"
        )
    }
}
