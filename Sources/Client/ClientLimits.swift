/// How long a client waits, how often it tries, and how much it takes.
public struct ClientLimits: Hashable, Sendable {
    public var answerBytesMax = 8 * 1024 * 1024
    public var connectTimeout = Duration.seconds(5)
    /// From the request to the whole of its answer.
    ///
    /// Making an account and signing in take long on purpose.
    public var answerTimeout = Duration.seconds(60)
    /// How often a request is sent whose connection fails; the first time counts.
    public var tries = 4
    /// Before the second try; doubled for each after that, up to ``backOffMax``.
    public var backOff = Duration.milliseconds(200)
    public var backOffMax = Duration.seconds(5)
    public var eventBytesMax = 256 * 1024
    /// Events that wait for a slow reader; with more, the stream reconnects and asks for the rest.
    public var eventsWaitingMax = 1_024
    /// A silent event connection is pinged after this, and given up after twice as long.
    public var eventSilence = Duration.seconds(15)
    /// How often an operation is looked at where no event tells of it.
    public var operationLook = Duration.seconds(3)

    public init() {}

    /// How long to wait after so many failures in a row.
    func wait(afterFailures count: Int) -> Duration {
        var wait = backOff
        for _ in 1..<max(1, min(count, 16)) where wait < backOffMax { wait *= 2 }
        return min(wait, backOffMax)
    }
}
