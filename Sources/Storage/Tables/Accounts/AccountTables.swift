package import Keys
package import Market

/// This node's accounts: address, to the keystore's JSON and other data of the account.
package enum AccountEntries: Table {
    package typealias Key = Address
    package typealias Value = [UInt8]
    package static let name = "accounts"
}

/// Long work with its phases, by account and operation.
package enum Operations: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = [UInt8]
    package static let name = "operations"
}

/// Answers of writing calls by account and idempotency key.
///
/// An answer that names an operation stays for ever, even if its account is removed: the same call
/// must not move money twice. Others are forgotten after ``StoreLimits/idempotencyKeyLifetime``.
enum IdempotencyKeys: Table {
    typealias Key = CompositeKey<Address, Bytes32>
    typealias Value = StoredAnswer
    static let name = "idempotency-keys"
}

/// The same by when they are dropped.
enum IdempotencyByExpiry: Table {
    typealias Key = CompositeKey<Timestamp, CompositeKey<Address, Bytes32>>
    typealias Value = EmptyValue
    static let name = "idempotency-by-expiry"
}

/// Settings of the node and of its accounts that are not configuration.
package enum Settings: Table {
    package typealias Key = String
    package typealias Value = [UInt8]
    package static let name = "settings"

    /// The key of a setting of one account, such as `recovery 0x12…`; it is removed with the
    /// account.
    package static func key(_ name: String, of account: Address) -> String {
        "\(name) \(account)"
    }
}

/// The answer a writing call gave.
package struct StoredAnswer: TableValue, Equatable {
    /// Of the request's body: another body with the same key is a conflict.
    package let request: Bytes32
    /// When it is forgotten; ``never`` once its time has passed, if it names an operation.
    let expiresAt: Timestamp
    package let bytes: [UInt8]

    static let never = Timestamp(milliseconds: .max)

    package var storedByteCount: Int { 40 + bytes.count }

    init(request: Bytes32, expiresAt: Timestamp, bytes: [UInt8]) {
        (self.request, self.expiresAt, self.bytes) = (request, expiresAt, bytes)
    }

    package func write(to writer: inout ByteWriter) { writer.write(request, expiresAt, bytes) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (request, expiresAt) = try (reader.read(), reader.read())
        bytes = reader.readRest()
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The answer to an account's call with that key, while it is remembered.
    package func answer(
        to key: Bytes32,
        of account: Address,
        at now: Timestamp
    ) throws -> StoredAnswer? {
        guard let answer = try get(IdempotencyKeys.self, CompositeKey(account, key)) else {
            return nil
        }
        return try answer.expiresAt > now || namesOperation(answer, of: account) ? answer : nil
    }

    fileprivate func namesOperation(_ answer: StoredAnswer, of account: Address) throws -> Bool {
        guard answer.expiresAt != StoredAnswer.never else { return true }
        return try Bytes32(answer.bytes).map {
            try contains(Operations.self, CompositeKey(account, $0))
        } ?? false
    }
}

extension WriteTransaction {
    /// Remembers the answer to an account's call, and forgets some whose time is over.
    ///
    /// - Parameters:
    ///   - bytes: The answer; the operation's id if the call begins one.
    ///   - request: The hash of the request.
    ///   - key: The hash of the idempotency key.
    ///   - account: The account that called.
    ///   - now: The time of the call.
    /// - Throws: An error of the store.
    package mutating func putAnswer(
        _ bytes: [UInt8],
        request: Bytes32,
        key: Bytes32,
        of account: Address,
        at now: Timestamp
    ) throws {
        let due = try keys(IdempotencyByExpiry.self, .all(), limit: limits.sweepEntriesMax) {
            $0.first <= now
        }
        for entry in due { try endAnswer(at: entry.second) }
        let place = CompositeKey(account, key)
        if let old = try get(IdempotencyKeys.self, place) {
            try remove(IdempotencyByExpiry.self, CompositeKey(old.expiresAt, place))
        }
        let expiresAt = now.advanced(by: limits.idempotencyKeyLifetime)
        let answer = StoredAnswer(request: request, expiresAt: expiresAt, bytes: bytes)
        try put(IdempotencyKeys.self, place, answer)
        try put(IdempotencyByExpiry.self, CompositeKey(expiresAt, place), EmptyValue())
    }

    /// Forgets an answer, unless it names an operation: then it stays for ever.
    mutating func endAnswer(at place: IdempotencyKeys.Key) throws {
        guard let answer = try get(IdempotencyKeys.self, place) else { return }
        try remove(IdempotencyByExpiry.self, CompositeKey(answer.expiresAt, place))
        guard try namesOperation(answer, of: place.first) else {
            try remove(IdempotencyKeys.self, place)
            return
        }
        let kept = StoredAnswer(
            request: answer.request,
            expiresAt: StoredAnswer.never,
            bytes: answer.bytes
        )
        try put(IdempotencyKeys.self, place, kept)
    }
}
