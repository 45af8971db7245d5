/// The cost of trying one password: scrypt's parameters.
///
/// Source: RFC 7914, section 2.
package struct KeystoreCost: Equatable, Sendable {
    /// Limits for files of other programs: 512 MiB, and eight times the work of `standard`.
    static let memoryBytesMax = 512 << 20
    static let workMax = 8 << 21
    /// The limit of PBKDF2 rounds for files of other programs; about ten seconds.
    static let roundsMax = 10_000_000

    /// About a second and 256 MiB: for accounts that hold money.
    package static let standard = KeystoreCost(unchecked: 1 << 18, blockSize: 8, parallelism: 1)
    /// A few milliseconds and 4 MiB: for test networks, whose money is worth nothing.
    package static let light = KeystoreCost(unchecked: 1 << 12, blockSize: 8, parallelism: 1)

    /// The number of rounds, a power of two ("n").
    package let rounds: Int
    /// In units of 128 bytes ("r").
    package let blockSize: Int
    /// The number of independent runs ("p").
    package let parallelism: Int

    private init(unchecked rounds: Int, blockSize: Int, parallelism: Int) {
        (self.rounds, self.blockSize, self.parallelism) = (rounds, blockSize, parallelism)
    }

    /// Takes parameters within the limits.
    ///
    /// - Throws: ``KeystoreError/malformed(_:)`` for numbers that scrypt does not allow, and
    ///   ``KeystoreError/tooCostly(_:)`` for those that would stall or exhaust this machine.
    package init(rounds: Int, blockSize: Int, parallelism: Int) throws(KeystoreError) {
        guard rounds > 1, rounds & (rounds - 1) == 0 else { throw .malformed(.rounds) }
        guard blockSize > 0 else { throw .malformed(.blockSize) }
        guard parallelism > 0 else { throw .malformed(.parallelism) }
        // Each factor is bounded first, so that the products cannot overflow.
        guard rounds <= 1 << 22 else { throw .tooCostly(.rounds) }
        guard blockSize <= 1 << 10 else { throw .tooCostly(.blockSize) }
        guard parallelism <= 1 << 10 else { throw .tooCostly(.parallelism) }
        guard 128 * rounds * blockSize <= Self.memoryBytesMax,
            rounds * blockSize * parallelism <= Self.workMax
        else { throw .tooCostly(.rounds) }
        self.init(unchecked: rounds, blockSize: blockSize, parallelism: parallelism)
    }
}
