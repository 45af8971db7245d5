import Client
import Keys
import Market
import Storage

/// A writing call that its caller has named, so that a repeat of it is known and does nothing.
///
/// Its answer is remembered for as long as ``Storage/Limits/idempotencyKeyLifetime`` says; write
/// it in the transaction that does what was asked, so that both are kept or neither.
struct KeyedCall: Sendable {
    let account: Address
    /// The hash of the caller's name for it.
    let key: Bytes32
    /// What was asked; another thing asked under the same name is refused.
    fileprivate let request: Bytes32

    /// - Parameters:
    ///   - key: As the caller sent it.
    ///   - account: Who calls.
    ///   - request: The same for the same request, and for no other.
    init(_ key: String, by account: Address, asking request: Bytes32) {
        self.account = account
        self.key = Keccak256.hash(key.utf8)
        self.request = request
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// What the call answered when it was made before; `nil` if it was not.
    ///
    /// - Throws: ``Refusal`` with `idempotency_key_reused` if the call before was another.
    func answer(to call: KeyedCall, at now: Timestamp) throws -> [UInt8]? {
        guard let answer = try answer(to: call.key, of: call.account, at: now) else { return nil }
        guard answer.request == call.request else {
            throw Refusal(
                .keyReused,
                "This Idempotency-Key was used for another request. Choose a new one."
            )
        }
        return answer.bytes
    }
}

extension WriteTransaction {
    /// Remembers what the call answers.
    mutating func putAnswer(_ bytes: [UInt8], to call: KeyedCall, at now: Timestamp) throws {
        try putAnswer(bytes, request: call.request, key: call.key, of: call.account, at: now)
    }
}
