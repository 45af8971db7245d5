package import Keys

/// A well-formed record whose signature has not been checked.
///
/// The checks are separate steps, the cheapest first, so that a node can stop early: the
/// initialiser checks size and framing and computes the id; then `admitted(to:at:)`; then
/// `verified()`.
///
/// Source: Docs/protocol.md, section 4.3.
package struct UnverifiedRecord: Hashable, Sendable {
    /// The maximum size of the envelope, 64 KiB.
    package static let byteCountMax = 65_536
    package static let networkByteCountMax = 32
    package static let summaryByteCountMax = 1_024
    /// How far an author's clock may be ahead of this node's.
    package static let clockAheadMax = Duration.seconds(600)

    /// The bytes as received.
    package let bytes: [UInt8]
    package let draft: RecordDraft
    package let signature: Signature
    /// Proof of work for the open lane, not covered by the signature; see ``OpenLaneRules``.
    package let stamp: UInt64?
    package let id: RecordID

    /// Reads the envelope in its canonical form.
    ///
    /// - Parameters:
    ///   - bytes: The record as received.
    ///   - id: Its id if it was computed before, which takes as long as the rest.
    /// - Throws: A fault whose verdict is to reject.
    package init(_ bytes: [UInt8], id: RecordID? = nil) throws(RecordFault) {
        guard bytes.count <= Self.byteCountMax else {
            throw .tooLong(byteCount: bytes.count)
        }
        let (draft, signed, stamp): (RecordDraft, ArraySlice<UInt8>, UInt64?)
        do {
            (draft, signed, stamp) = try Self.read(bytes)
        } catch {
            throw .malformed(error)
        }
        guard let signature = Signature(signed), signature.isLowS else {
            throw .signatureMalformed
        }
        self.bytes = bytes
        self.draft = draft
        self.signature = signature
        self.stamp = stamp
        self.id = id ?? draft.id
    }

    init(_ draft: RecordDraft, signature: Signature, stamp: UInt64? = nil) {
        bytes = Self.encoded(draft, signature.bytes, stamp)
        self.draft = draft
        self.signature = signature
        self.stamp = stamp
        id = draft.id
    }

    /// Checks network, kind and clock; does not check the signature.
    ///
    /// - Throws: A fault whose verdict is to ignore.
    package func admitted(
        to network: String,
        at now: Timestamp
    ) throws(RecordFault) -> RecordKind {
        guard draft.network == network else { throw .otherNetwork }
        guard let kind = RecordKind(rawValue: draft.kind) else { throw .unknownKind(draft.kind) }
        let ahead = draft.createdAt.elapsed(since: now)
        guard ahead <= Self.clockAheadMax else { throw .fromTheFuture(ahead: ahead) }
        guard draft.createdAt.advanced(by: kind.lifetime) > now else { throw .expired }
        return kind
    }

    /// Checks the signature, then the payload against the rules of its kind.
    ///
    /// The expensive step: it recovers the signer. It can run on many cores at once.
    package func verified() throws(RecordFault) -> SignedRecord {
        guard signature.signer(of: id.digest)?.address == draft.author else {
            throw .wrongSigner
        }
        return try checked()
    }

    /// Makes the checks of `verified()` except the signature, for bytes that this node stored.
    package func checked() throws(RecordFault) -> SignedRecord {
        guard let kind = RecordKind(rawValue: draft.kind) else { throw .unknownKind(draft.kind) }
        let content = try RecordContent(kind: kind, payload: draft.payload)
        guard content.slot(author: draft.author) ?? draft.slot == draft.slot,
            content.pieces?.isPossible(in: draft.slot) ?? true
        else { throw .wrongSlot }
        if case .laterListing = content {
            // No listing above this length can ever be anchored.
            let byteCountMax = AnchoredAllowance.byteCountMax(of: .listing)
            guard unstampedByteCount <= byteCountMax else { throw .tooLong(byteCount: bytes.count) }
        }
        // Compared by bytes: two texts that are equal for Swift are different for a signature.
        if let summary = content.summary(slot: draft.slot) {
            guard summary.utf8.elementsEqual(draft.summary.utf8) else { throw .summaryDiffers }
        }
        return SignedRecord(verified: self, content: content)
    }

    static let wireSchema = WireSchema(
        .text,
        .uint32,
        .bytes,
        .bytes,
        .uint64,
        .text,
        .bytes,
        .bytes,
        .bytes
    )

    private static func read(
        _ bytes: [UInt8]
    ) throws(FramingFault) -> (RecordDraft, signature: ArraySlice<UInt8>, stamp: UInt64?) {
        let fields = try WireReader.read(bytes[...], wireSchema, unknownByteCountMax: 0)
        let (network, summary) = (fields.text(1), fields.text(6))
        guard !network.isEmpty else { throw .fieldMissing(1) }
        guard network.utf8.count <= networkByteCountMax else { throw .fieldOutOfRange(1) }
        guard fields.has(2) else { throw .fieldMissing(2) }
        guard let kind = UInt8(exactly: fields.number(2)) else { throw .fieldOutOfRange(2) }
        guard let author = Address(fields.bytes(3)) else { throw .fieldOutOfRange(3) }
        guard let slot = Bytes32(fields.bytes(4)) else { throw .fieldOutOfRange(4) }
        guard fields.has(5) else { throw .fieldMissing(5) }
        guard summary.utf8.count <= summaryByteCountMax else { throw .fieldOutOfRange(6) }
        guard fields.has(8) else { throw .fieldMissing(8) }
        let draft = RecordDraft(
            network: network,
            kind: kind,
            author: author,
            slot: slot,
            createdAt: Timestamp(milliseconds: fields.number(5)),
            summary: summary,
            payload: fields.bytes(7)
        )
        return (draft, fields.bytes(8), try stamp(in: fields))
    }

    static func encoded(
        _ draft: RecordDraft,
        _ signature: [UInt8],
        _ stamp: UInt64?
    ) -> [UInt8] {
        var writer = WireWriter()
        writer.write(1, Array(draft.network.utf8))
        writer.write(2, UInt64(draft.kind))
        writer.write(3, draft.author.bytes)
        writer.write(4, draft.slot.bytes)
        writer.write(5, draft.createdAt.milliseconds)
        writer.write(6, Array(draft.summary.utf8))
        writer.write(7, draft.payload)
        writer.write(8, signature)
        if let stamp { write(stamp, to: &writer) }
        return writer.bytes
    }
}
