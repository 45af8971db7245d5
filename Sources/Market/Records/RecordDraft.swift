package import Keys

/// A record before it is signed: everything that the signature covers.
package struct RecordDraft: Hashable, Sendable {
    package let network: String
    /// The number of the kind, which this version may not know.
    package let kind: UInt8
    package let author: Address
    package let slot: Bytes32
    package let createdAt: Timestamp
    package let summary: String
    /// The encoded content; empty in a withdrawal that names no sale.
    package let payload: ArraySlice<UInt8>

    init(
        network: String,
        kind: UInt8,
        author: Address,
        slot: Bytes32,
        createdAt: Timestamp,
        summary: String,
        payload: ArraySlice<UInt8>
    ) {
        self.network = network
        self.kind = kind
        self.author = author
        self.slot = slot
        self.createdAt = createdAt
        self.summary = summary
        self.payload = payload
    }

    /// Creates a draft of `content`, with the summary that its kind prescribes.
    ///
    /// Only a listing chooses its `slot`; the slots of other kinds follow from their content.
    /// Do not publish `.laterListing`: its summary is unknown and left empty.
    /// `createdAt` must be later than that of the version it replaces, see
    /// ``RecordVersion/next(after:now:)``.
    package init(
        network: String,
        author: Address,
        content: RecordContent,
        slot: Bytes32,
        createdAt: Timestamp
    ) {
        let slot = content.slot(author: author) ?? slot
        self.init(
            network: network,
            kind: content.kind.rawValue,
            author: author,
            slot: slot,
            createdAt: createdAt,
            summary: content.summary(slot: slot) ?? "",
            payload: content.payload[...]
        )
    }

    /// The digest that the author signs.
    package var id: RecordID { RecordID(RecordDigest.digest(of: self)) }

    package func signed(by key: PrivateKey) throws(RecordFault) -> SignedRecord {
        try UnverifiedRecord(self, signature: key.sign(id.digest)).verified()
    }
}
