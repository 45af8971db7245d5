import Keys

/// What a network asks of a record that no chain vouches for: that it is short, and that its
/// stamp shows some work.
///
/// Accounts are free, so this is the only price of such a record. All nodes of a network have the
/// same rules.
///
/// Source: Docs/protocol.md, section 4.10.
package struct OpenLaneRules: Hashable, Sendable {
    /// How long an open profile or device may be, the whole record counted.
    package static let byteCountMax = 2_048
    /// How many tries a stamp takes for each KiB begun, in the mean.
    package static let standardTries: UInt64 = 131_072

    package var triesPerKibibyte: UInt64

    package init(triesPerKibibyte: UInt64 = Self.standardTries) {
        self.triesPerKibibyte = triesPerKibibyte
    }

    /// Checks length and stamp; takes about a microsecond.
    package func check(_ record: UnverifiedRecord) throws(OpenLaneFault) {
        try checkLength(of: record.draft.kind, byteCount: record.bytes.count)
        guard let stamp = record.stamp,
            work(of: record.id).isDone(by: stamp, tries: tries(byteCount: record.bytes.count))
        else { throw .unstamped }
    }

    /// Does the work for an own record, in some tens of milliseconds for each KiB.
    ///
    /// - Throws: ``OpenLaneFault/tooLong(byteCount:)`` before any work.
    package func stamped(_ record: SignedRecord) throws(OpenLaneFault) -> SignedRecord {
        let byteCount =
            record.bytes.count + (record.isStamped ? 0 : UnverifiedRecord.stampByteCount)
        try checkLength(of: record.kind.rawValue, byteCount: byteCount)
        let nonce = work(of: record.id).nonce(tries: tries(byteCount: byteCount))
        return record.stamped(nonce)
    }

    /// Whether a record of these contents is short enough, once it is signed and stamped.
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
        let isBounded = kind == RecordKind.profile.rawValue || kind == RecordKind.device.rawValue
        guard !isBounded || byteCount <= Self.byteCountMax else {
            throw .tooLong(byteCount: byteCount)
        }
    }

    private func work(of id: RecordID) -> ProofOfWork {
        ProofOfWork("stoa record stamp 1", for: id.digest)
    }

    private func tries(byteCount: Int) -> UInt64 {
        triesPerKibibyte * UInt64((byteCount + 1_023) / 1_024)
    }
}

/// Why the open lane does not take a record.
///
/// Another copy of it, or the same once the chain vouches for it, may be right, so it is not
/// remembered against its id.
package enum OpenLaneFault: Error, Hashable, Sendable {
    /// A profile or device of more than ``OpenLaneRules/byteCountMax``.
    case tooLong(byteCount: Int)
    /// Without a stamp, or with one that shows too little work.
    case unstamped
}
