package import Keys

extension SaleID {
    /// Computes the id of a course, which is known before the course is opened.
    ///
    /// It is the Keccak-256 of the ABI encoding of (chain id at the contract's deployment,
    /// contract, teacher, salt, promise), all single words.
    ///
    /// Source: Docs/contracts.md, section 12.
    ///
    /// - Parameters:
    ///   - contract: The contract that the course is opened with.
    ///   - teacher: The account that opens it.
    ///   - salt: Distinguishes courses that are equal otherwise.
    ///   - promise: The hash of the listing that the course fulfils.
    package init(contract: ContractReference, teacher: Address, salt: Bytes32, promise: Bytes32) {
        let words = [
            Bytes32(number: contract.chain.number), contract.address.word, teacher.word, salt,
            promise,
        ]
        self.init(Keccak256.hash(words.flatMap(\.bytes)))
    }
}
