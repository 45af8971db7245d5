/// The bounds of all fetches of files.
///
/// Source: Docs/protocol.md, section 11.8.
struct BlobFetchLimits: Sendable {
    /// Files fetched at a time; further askers wait.
    ///
    /// One peer may have them all, and answers as many streams of this node.
    var fetchesMax = 8
    /// Of these, files that only open records name, which cost strangers little.
    var openFetchesMax = 6
    /// For one file, once it has its place, and until it has it.
    var fetchMax = Duration.seconds(60)
    /// Lengths that are tried for one file, one that is tried again counted again.
    var triesMax = 12
    /// How long a file that could not be had is not tried again, and how many are remembered.
    var pause = Duration.seconds(30)
    var failuresMax = 4_096
}
