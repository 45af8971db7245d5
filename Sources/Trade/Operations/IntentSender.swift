package import Ethereum
package import Keys
package import Market

/// Carries one account's intents to the chain, each exactly once, whatever happens in between.
///
/// It reports an intent's progress to its listener, from the intent's submission on.
package protocol IntentSender: Sendable {
    /// The chain that the intents are carried to.
    var chain: ChainID { get }

    /// Accepts an intent durably; submitting it again changes nothing.
    func submit(_ intent: Intent) async throws

    /// Signs the intent's waiting transaction again with a higher fee, or cancels it.
    ///
    /// - Throws: `IntentError.nothingToReplace` if nothing of it waits to be mined.
    func replace(_ intent: IntentID, by kind: SignedAttempt.Kind) async throws

    /// Ends an intent before its next step is signed, for free.
    ///
    /// - Throws: `IntentError.nothingToReplace` if no step waits to be signed, or if one is just
    ///   being signed.
    func withdraw(_ intent: IntentID) async throws

    /// The cost of replacing the intent's waiting transaction; `nil` if nothing has to be signed.
    ///
    /// - Throws: `IntentError.nothingToReplace`, `PreflightError`, `EthereumError`.
    func replacementFee(
        of intent: IntentID,
        by kind: SignedAttempt.Kind
    ) async throws -> FeeQuote?

    /// Raises the maximum fee of the intent's waiting transaction to this, in wei.
    func raiseFee(of intent: IntentID, to feeMax: Amount) async throws

    /// The maximum total fee of the intent's transactions, in wei; `nil` if one has no bound.
    func feesMax(of intent: IntentID) async -> Amount?

    /// Ends an intent of which nothing was ever signed.
    ///
    /// - Returns: False if something was signed, or is just being signed: then it continues.
    func drop(_ intent: IntentID, because reason: String) async throws -> Bool

    /// Ends all intents but these, as far as nothing of theirs is signed: no operation wants them.
    func abandon(allBut kept: Set<IntentID>) async

    /// The signature request for an intent to the wallet that has the account's key; `nil` if there
    /// is none.
    func walletRequest(of intent: IntentID) async -> WalletRequest?

    /// Accepts that wallet's signature, if it matches the request; it is durable at the end.
    ///
    /// - Throws: `IntentError.nothingAsked`, `IntentError.unknownTransaction`,
    ///   `AskedTransactionFault`, `EthereumError`.
    func take(_ answer: WalletAnswer, for intent: IntentID) async throws

    /// The account's owner knows that its key is used elsewhere too: signing continues.
    ///
    /// - Returns: Whether anything waited for that.
    func acknowledgeForeignUse() async throws -> Bool
}

/// The senders of this node's accounts.
package protocol IntentSenders: Sendable {
    /// The account's sender on a chain, which is opened the first time it is needed.
    ///
    /// - Parameters:
    ///   - account: Who signs.
    ///   - chain: The chain; `nil` is the node's first one, as operations from before there were
    ///     several do not name theirs.
    /// - Returns: `nil` if the node does not follow the chain.
    /// - Throws: The journal's error.
    func sender(of account: Address, on chain: ChainID?) async throws -> (any IntentSender)?

    /// The chains that the node follows.
    var chains: [ChainID] { get }
}
