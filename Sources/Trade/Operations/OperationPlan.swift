import Client
package import Ethereum
package import Keys
package import Market

/// The plan that an operation needs to run, now or after a restart: transactions, and a record to
/// publish or a text to send once they are final.
package struct OperationPlan: Hashable, Sendable {
    /// A record to publish in the account's name.
    package struct Publication: Hashable, Sendable {
        package let kind: RecordKind
        package let slot: Bytes32
        /// Empty in a withdrawal that names no sale.
        package let payload: [UInt8]

        package init(kind: RecordKind, slot: Bytes32, payload: [UInt8]) {
            (self.kind, self.slot, self.payload) = (kind, slot, payload)
        }
    }

    /// The text that is sent to others in a sale once the transactions are final.
    package struct Disclosure: Hashable, Sendable {
        /// The kind of text, with those who get it.
        package enum Content: Hashable, Sendable {
            /// A buyer's delivery address, for the seller.
            case address
            /// The note of a move.
            case note(readers: [Address])
        }

        package let sale: SaleID
        package let content: Content
        /// The text, sealed for the account alone.
        package let sealed: [UInt8]

        package init(sale: SaleID, _ content: Content, sealed: [UInt8]) {
            (self.sale, self.content, self.sealed) = (sale, content, sealed)
        }
    }

    /// Its part in listing an item again whose buyer does not pay.
    package enum Reopening: Hashable, Sendable {
        /// Once it is done, its account has agreed to that.
        case agreed(ReopeningConsent)
        /// It lists the item again by itself, as its account has agreed to for this sale.
        case automatic(SaleID)
    }

    /// For logs, such as `buy`.
    package let purpose: String
    package let steps: [Intent.Step]
    /// The maximum fee of each step, in wei; empty if there is no bound.
    package let feesMax: [Amount]
    /// The records to publish, in order; none if it ends with its transactions.
    package let publications: [Publication]
    package let disclosure: Disclosure?
    package let reopening: Reopening?
    /// How soon the transactions are to be mined.
    package private(set) var speed = FeeSpeed.normal

    package init(
        purpose: String,
        steps: [Intent.Step],
        feesMax: [Amount]? = nil,
        publications: [Publication] = [],
        disclosure: Disclosure? = nil,
        reopening: Reopening? = nil
    ) {
        let feesMax = feesMax ?? []
        precondition(feesMax.isEmpty || feesMax.count == steps.count)
        precondition(publications.count <= 1 || disclosure == nil)
        precondition(reopening == nil || disclosure == nil)
        (self.purpose, self.steps, self.publications) = (purpose, steps, publications)
        self.feesMax = feesMax
        (self.disclosure, self.reopening) = (disclosure, reopening)
    }

    /// The phases of its operation.
    var phases: [Client.Operation.Phase.Name] {
        (steps.isEmpty ? [] : Client.Operation.Phase.Name.onChain)
            + (publications.isEmpty ? [] : [.published]) + (disclosure == nil ? [] : [.told])
    }

    /// The identifier of the thing that it puts up for sale with a token; `nil` if it does not.
    ///
    /// A course has no token: several can have one identifier.
    var listedIdentifier: ItemIdentifier? {
        guard !steps.isEmpty, let listing = firstListing, listing.form != .course else {
            return nil
        }
        return listing.identifier
    }

    /// The sale that its first listing names; `nil` if it publishes no listing with one.
    var listedSale: SaleReference? { firstListing?.sale }

    private var firstListing: Market.Listing? {
        guard let publication = publications.first, publication.kind == .listing,
            case .listing(let listing)? = try? RecordContent(
                kind: publication.kind,
                payload: publication.payload[...]
            )
        else { return nil }
        return listing
    }

    /// The slots of the account's listings that it changes or withdraws.
    var listingSlots: Set<Bytes32> {
        Set(publications.filter { $0.kind == .listing }.map(\.slot))
    }

    /// Returns the same plan at the speed that was chosen for its fees.
    func at(_ speed: FeeSpeed) -> OperationPlan {
        var plan = self
        plan.speed = speed
        return plan
    }

    /// The intent for the sender; the same for the same operation, so that a restart cannot do it
    /// twice.
    package func intent(operation id: String) -> Intent {
        Intent(
            id: Self.intentID(operation: id),
            purpose: purpose,
            steps: steps,
            speed: speed,
            feesMax: feesMax
        )
    }

    package static func intentID(operation id: String) -> IntentID {
        IntentID(Keccak256.hash([UInt8]("stoa operation ".utf8) + [UInt8](id.utf8)))
    }
}

extension OperationPlan: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(purpose)
        writer.write(steps)
        writer.write(!feesMax.isEmpty)
        for feeMax in feesMax { writer.write(feeMax) }
        writer.write(publications)
        writer.write(speed.rawValue)
        writer.write(optional: disclosure) { $0.write($1) }
        writer.write(optional: reopening) { $0.write($1) }
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        purpose = try reader.text()
        steps = try reader.values(of: Intent.Step.self)
        var feesMax: [Amount] = []
        if try reader.flag() {
            for _ in steps { feesMax.append(try reader.amount()) }
        }
        self.feesMax = feesMax
        publications = try reader.values(of: Publication.self)
        let number = try reader.byte()
        guard let speed = FeeSpeed(rawValue: number) else { throw .unknownForm(number) }
        self.speed = speed
        disclosure = try reader.optional { reader throws(StoredValueError) in
            try Disclosure(from: &reader)
        }
        reopening = try reader.optional { reader throws(StoredValueError) in
            try Reopening(from: &reader)
        }
    }
}

extension OperationPlan.Reopening: StoredValue {
    package func write(to writer: inout StoredWriter) {
        switch self {
        case .agreed(let consent):
            writer.write(0 as UInt8)
            writer.write(consent)
        case .automatic(let sale):
            writer.write(1 as UInt8)
            writer.write(sale.hash)
        }
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        switch try reader.byte() {
        case 0: self = .agreed(try ReopeningConsent(from: &reader))
        case 1: self = .automatic(SaleID(try reader.hash()))
        case let other: throw .unknownForm(other)
        }
    }
}

extension OperationPlan.Publication: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(kind.rawValue)
        writer.write(slot)
        writer.write(payload)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        let number = try reader.byte()
        guard let kind = RecordKind(rawValue: number) else { throw .unknownForm(number) }
        self.init(kind: kind, slot: try reader.hash(), payload: try reader.content())
    }
}

extension OperationPlan.Disclosure: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(sale.hash)
        writer.write(sealed)
        guard case .note(let readers) = content else { return writer.write(false) }
        writer.write(true)
        writer.write(UInt64(readers.count))
        for reader in readers { writer.write(reader) }
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        sale = SaleID(try reader.hash())
        sealed = try reader.content()
        guard try reader.flag() else {
            content = .address
            return
        }
        var readers: [Address] = []
        for _ in 0..<(try reader.number()) { readers.append(try reader.address()) }
        content = .note(readers: readers)
    }
}

extension Client.Operation.Phase.Name {
    /// The phases of a transaction, in order.
    static let onChain: [Self] = [.estimate, .signed, .sent, .mined, .confirmed]
}
