import Client
package import Keys
package import Market
package import Storage

/// A writing call that its caller has named, so that a repeat is recognised and does nothing.
///
/// An answer that names an operation is remembered for ever, so that no money moves twice; any
/// other for as long as ``StoreLimits/idempotencyKeyLifetime`` says. Write it in the transaction
/// that carries out the call, so that both are kept or neither.
package struct KeyedCall: Sendable {
    package let account: Address
    /// The hash of the caller's name for it.
    package let key: Bytes32
    /// The request; a different request under the same name is refused.
    fileprivate let request: Bytes32

    /// - Parameters:
    ///   - key: As the caller sent it.
    ///   - account: Who calls.
    ///   - request: The same for the same request, and for no other.
    package init(_ key: String, by account: Address, asking request: Bytes32) {
        self.account = account
        self.key = Keccak256.hash(key.utf8)
        self.request = request
    }

    /// The answer to the earlier call with this key; `nil` if there was none.
    ///
    /// - Throws: ``Refusal`` with `idempotency_key_reused` if the call before was another.
    package func answer(
        at now: Timestamp,
        in transaction: borrowing some ReadableTransaction & ~Copyable
    ) throws -> [UInt8]? {
        guard let answer = try transaction.answer(to: key, of: account, at: now) else { return nil }
        guard answer.request == request else {
            throw Refusal(.keyReused, Sentence("refusal.keyReused"))
        }
        return answer.bytes
    }
}

extension WriteTransaction {
    /// Remembers the answer of the call.
    package mutating func putAnswer(_ bytes: [UInt8], to call: KeyedCall, at now: Timestamp) throws
    {
        try putAnswer(bytes, request: call.request, key: call.key, of: call.account, at: now)
    }
}
