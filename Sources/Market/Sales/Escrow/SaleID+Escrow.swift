import Keys

extension SaleID {
    /// Computes the id of an escrow sale, which is known before the listing is mined.
    ///
    /// Keccak-256 of the ABI encoding of (chain id at the contract's deployment, contract, offer). All
    /// members of the offer are single words, so the encoding is 19 words in sequence.
    ///
    /// Source: Docs/contracts.md, section 4.
    ///
    /// - Parameters:
    ///   - contract: The escrow contract, with its chain.
    ///   - offer: The offer, with `token` as given to `list`.
    package init(contract: ContractReference, offer: EscrowOffer) {
        let terms = offer.terms
        let words: [Bytes32] = [
            Bytes32(words: 0, 0, 0, contract.chain.number),
            contract.address.word,
            offer.seller.word,
            offer.salt,
            offer.token.word,
            offer.maker.word,
            offer.contentHash,
            offer.promise,
            terms.currency.address.word,
            terms.price.word,
            terms.sellerDeposit.word,
            terms.buyerDeposit.word,
            terms.latePenalty.word,
            (terms.arbiter ?? .zero).word,
            terms.arbiterFee.word,
            Bytes32(words: 0, 0, 0, terms.shipWindow.wholeSeconds),
            Bytes32(words: 0, 0, 0, terms.confirmWindow.wholeSeconds),
            Bytes32(words: 0, 0, 0, terms.rulingWindow.wholeSeconds),
            Bytes32(words: 0, 0, 0, terms.offerUntil.seconds),
        ]
        self.init(Keccak256.hash(words.flatMap(\.bytes)))
    }
}

extension Address {
    /// The address as a word, padded with leading zeros as in the ABI.
    var word: Bytes32 { paddedInFront(bytes) }
}

extension Amount {
    /// The number as 32 big-endian bytes.
    var word: Bytes32 { paddedInFront(minimalBytes) }
}

private func paddedInFront(_ bytes: [UInt8]) -> Bytes32 {
    let zeros = [UInt8](repeating: 0, count: Bytes32.byteCount - bytes.count)
    guard let word = Bytes32(zeros + bytes) else {
        preconditionFailure("an amount or address has at most 32 bytes")
    }
    return word
}
