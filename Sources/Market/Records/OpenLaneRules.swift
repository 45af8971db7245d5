import Keys

/// A network's rules for records that no sale supports: a short length, and a stamp with work.
///
/// Accounts are free, so this is the only price of such a record. All nodes of a network have the
/// same rules.
///
/// Source: Docs/protocol.md, section 4.10.
package struct OpenLaneRules: Hashable, Sendable {
    /// The maximum bytes of an open profile or device record.
    package static let byteCountMax = 2_048
    /// The maximum bytes of a list of a curator.
    package static let curationByteCountMax = 16_384
    /// The average number of tries for a stamp, per KiB or part of one.
    package static let standardTries: UInt64 = 131_072

    package var triesPerKibibyte: UInt64

    package init(triesPerKibibyte: UInt64 = Self.standardTries) {
        self.triesPerKibibyte = triesPerKibibyte
    }

    /// Checks the length and the stamp; takes about a microsecond.
    package func check(_ record: UnverifiedRecord) throws(OpenLaneFault) {
        try checkLength(of: record.draft.kind, byteCount: record.bytes.count)
        guard let stamp = record.stamp,
            work(of: record.id).isDone(by: stamp, tries: tries(byteCount: record.bytes.count))
        else { throw .unstamped }
    }

    /// Computes the stamp of an own record; takes some tens of milliseconds per KiB.
    ///
    /// - Throws: ``OpenLaneFault/tooLong(byteCount:)`` before any work.
    package func stamped(_ record: SignedRecord) throws(OpenLaneFault) -> SignedRecord {
        let byteCount = try stampedByteCount(of: record)
        let nonce = work(of: record.id).nonce(tries: tries(byteCount: byteCount))
        return record.stamped(nonce)
    }

    /// Searches `count` nonces from `first` for the stamp of an own record; `nil` if there is none.
    ///
    /// - Throws: As ``stamped(_:)``.
    package func stamped(
        _ record: SignedRecord,
        from first: UInt64,
        count: UInt64
    ) throws(OpenLaneFault) -> SignedRecord? {
        let byteCount = try stampedByteCount(of: record)
        return work(of: record.id).nonce(
            tries: tries(byteCount: byteCount),
            from: first,
            count: count
        )
        .map { record.stamped($0) }
    }

    /// Returns the bytes of an own record with its stamp.
    ///
    /// - Throws: ``OpenLaneFault/tooLong(byteCount:)``
    package func stampedByteCount(of record: SignedRecord) throws(OpenLaneFault) -> Int {
        let byteCount =
            record.bytes.count + (record.isStamped ? 0 : UnverifiedRecord.stampByteCount)
        try checkLength(of: record.kind.rawValue, byteCount: byteCount)
        return byteCount
    }

    /// Whether a record with this content is short enough once it is signed and stamped.
    package func admitsLength(of draft: RecordDraft) -> Bool {
        let signature = [UInt8](repeating: 0, count: Signature.byteCount)
        let bytes = UnverifiedRecord.encoded(draft, signature, 0)
        do {
            try checkLength(of: draft.kind, byteCount: bytes.count)
            return true
        } catch {
            return false
        }
    }

    private func checkLength(of kind: UInt8, byteCount: Int) throws(OpenLaneFault) {
        guard byteCount <= Self.byteCountMax(of: RecordKind(rawValue: kind)) else {
            throw .tooLong(byteCount: byteCount)
        }
    }

    /// Returns the maximum bytes of an open record of the kind.
    package static func byteCountMax(of kind: RecordKind?) -> Int {
        switch kind {
        case .profile, .device: byteCountMax
        case .curation: curationByteCountMax
        case .listing, .review, nil: UnverifiedRecord.byteCountMax
        }
    }

    private func work(of id: RecordID) -> ProofOfWork {
        ProofOfWork("stoa record stamp 1", for: id.digest)
    }

    private func tries(byteCount: Int) -> UInt64 {
        triesPerKibibyte * UInt64((byteCount + 1_023) / 1_024)
    }
}

/// Why the open lane refuses a record.
///
/// It is not remembered by its id: another copy, or the same record once a sale supports it, can be
/// accepted.
package enum OpenLaneFault: Error, Hashable, Sendable {
    /// Longer than ``OpenLaneRules/byteCountMax(of:)``.
    case tooLong(byteCount: Int)
    /// The stamp is missing or proves too little work.
    case unstamped
}
