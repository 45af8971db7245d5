/// Limits on a client's waiting time, number of tries, and bytes read.
public struct ClientLimits: Hashable, Sendable {
    public var answerBytesMax = 8 * 1024 * 1024
    public var connectTimeout = Duration.seconds(5)
    /// The time from the request to the end of its answer.
    ///
    /// Creating an account and signing in deliberately take long.
    public var answerTimeout = Duration.seconds(60)
    /// The slowest upload, in bytes a second; an answer to a longer body may take as much longer.
    ///
    /// The node hangs up on slower ones.
    public var uploadBytesPerSecond = 16 * 1_024
    /// How long a request waits for its answer before the node is asked whether it answers at all,
    /// and how long that check may take.
    public var silence = Duration.seconds(10)
    /// How often a request is sent if its connection fails, the first time included.
    public var tries = 4
    /// The wait before the second attempt; doubled for each later one, up to ``backOffMax``.
    public var backOff = Duration.milliseconds(200)
    public var backOffMax = Duration.seconds(5)
    public var eventBytesMax = 256 * 1024
    /// The events that can wait for a slow reader; if there are more, the stream reconnects to get
    /// them.
    public var eventsWaitingMax = 1_024
    /// The silence after which an event connection is pinged; after twice as long, it is closed.
    public var eventSilence = Duration.seconds(15)
    /// How often an operation is queried while no event reports its progress.
    public var operationLook = Duration.seconds(3)

    public init() {}

    /// Returns how long the answer to a request with this body may take.
    func answerTimeout(afterBytes count: Int) -> Duration {
        answerTimeout + .seconds(count / max(1, uploadBytesPerSecond))
    }

    /// Returns how long to wait after `count` failures in a row.
    func wait(afterFailures count: Int) -> Duration {
        var wait = backOff
        for _ in 1..<max(1, min(count, 16)) where wait < backOffMax { wait *= 2 }
        return min(wait, backOffMax)
    }
}
