/// The bounds of all fetches of files.
///
/// Source: Docs/protocol.md, section 11.8.
struct BlobFetchLimits: Sendable {
    /// Files fetched at a time; further askers wait.
    ///
    /// One peer may have them all, and answers as many streams of this node.
    var fetchesMax = 8
    /// For one file.
    var fetchMax = Duration.seconds(60)
    /// How long a file that could not be had is not tried again, and how many are remembered.
    var pause = Duration.seconds(30)
    var failuresMax = 4_096
}
