package import Keys

/// The id of a course within one contract.
///
/// It is known before the course is opened.
package struct CourseID: Hashable, Comparable, Sendable {
    package let hash: Bytes32

    package init(_ hash: Bytes32) { self.hash = hash }

    /// Computes the id of a course.
    ///
    /// It is the Keccak-256 of the ABI encoding of (chain id, contract, teacher, salt, promise),
    /// all single words.
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

    package static func < (left: CourseID, right: CourseID) -> Bool { left.hash < right.hash }
}

extension CourseID: CustomStringConvertible {
    package var description: String { hash.hex }
}

/// A course of any contract on any chain.
package struct CourseReference: Hashable, Sendable {
    package let contract: ContractReference
    package let id: CourseID

    package init(contract: ContractReference, id: CourseID) {
        (self.contract, self.id) = (contract, id)
    }
}
