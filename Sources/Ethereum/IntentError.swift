package import Keys

/// Why an intent was not accepted or replaced.
package enum IntentError: Error, Equatable, Sendable {
    /// Another intent has this id: choose a new one.
    case otherContent
    /// The same intent is being recorded now: ask for its progress.
    case beingRecorded
    /// The intent has no steps, too many steps, or too much call data.
    case outOfBounds
    /// The account has too many open intents: wait until some have ended.
    case tooManyOpen
    /// No step of the intent waits to be signed or mined.
    case nothingToReplace
    /// The waiting transaction was changed too often: wait until it is mined.
    case replacedTooOften
    /// No signature from outside is asked for, or one was just given.
    case nothingAsked
    /// No endpoint knows a transaction with this hash.
    case unknownTransaction(Bytes32)
}
