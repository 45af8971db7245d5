/// The bounds of all fetches of files.
///
/// Source: Docs/protocol.md, section 11.8.
struct BlobFetchLimits: Sendable {
    /// Places of fetches; further askers wait.
    ///
    /// One peer may be asked by all of them, and by those that have given theirs back: the exchange
    /// has a few streams to it, and the others wait there.
    var placesMax = 8
    /// Among these, slots for files that only open records name; such records cost strangers
    /// little.
    var openPlacesMax = 6
    /// How long a fetch keeps its slot; then it continues without one, so files with slow holders
    /// delay others little.
    var placeMax = Duration.milliseconds(250)
    /// Fetches with and without a slot; among these, fetches of files that only open records name.
    var fetchesMax = 64
    var openFetchesMax = 48
    /// For one file, once it has its slot, and until it has it.
    var fetchMax = Duration.seconds(60)
    /// Lengths that are tried for one file, one that is tried again counted again.
    var triesMax = 12
    /// How long an unavailable file is not tried again, and how many are remembered.
    var pause = Duration.seconds(30)
    var failuresMax = 4_096
}
