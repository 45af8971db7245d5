import Client
import GossipProtocol
import Keys
import Market

/// A message on its way to the homes of its recipient and sender, as the outbox stores it.
///
/// Only the message itself is sealed, so that envelopes go out while the account is locked.
struct OutgoingMail: Hashable, Sendable {
    /// One envelope, and the homes that have it.
    struct Copy: Hashable, Sendable {
        let account: Address
        let envelope: [UInt8]
        /// The account's grant, which allows depositing mail and nothing else.
        var grant: [UInt8]?
        /// The homes that have it.
        var held: Set<PeerID> = []
    }

    let conversation: Bytes32
    let recipient: Address
    let number: UInt64
    /// The message's position in its conversation; `nil` for receipts, which are not shown.
    let place: UInt64?
    /// The signed message, sealed under the account's own local secret.
    let mail: [UInt8]
    /// The envelopes; empty until the recipient's keys are known.
    var copies: [Copy] = []
    /// The number of homes that was last recorded in the message.
    var heldNoted = 0
    /// Why it cannot be delivered at the moment.
    var reason: [Sentence]?

    init(
        conversation: Bytes32,
        recipient: Address,
        number: UInt64,
        place: UInt64?,
        mail: [UInt8]
    ) {
        (self.conversation, self.recipient, self.number) = (conversation, recipient, number)
        (self.place, self.mail) = (place, mail)
    }

    /// The number of the recipient's homes that have it.
    var heldBy: Int {
        Set(copies.filter { $0.account == recipient }.flatMap(\.held)).count
    }

    /// Returns its id in the outbox, which can also be computed from a receipt.
    static func id(_ conversation: Bytes32, _ device: Bytes32, _ number: UInt64) -> Bytes32 {
        let digits = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        return Keccak256.hash(conversation.bytes + device.bytes + digits)
    }
}

extension MailMessage.Body {
    /// Whether a sale cannot go on without it; it is sent before texts.
    ///
    /// A recipient decides with ``SaleRelation`` which of these it files whatever the room.
    var isOfSale: Bool {
        switch self {
        case .address, .exception, .work, .note: true
        case .text, .receipt, .report, .priceOffer, .unknown: false
        }
    }
}

/// Envelopes of one message for one home, each with the index of its copy in the message.
struct HomeDeposit: Sendable {
    let lease: HomeLease
    /// Whether it is a home of the sender, for the sender's other devices.
    let isOwn: Bool
    let grant: MailGrant?
    let envelopes: [(copy: Int, envelope: MailEnvelope)]
}

extension OutgoingMail {
    /// Returns the envelopes to deposit: each that a home of its account does not have yet.
    func deposits(at homes: (Address) -> [HomeLease]) -> [HomeDeposit] {
        Set(copies.map(\.account)).sorted().flatMap { account in
            homes(account).compactMap { lease in
                let waiting = copies.enumerated().filter { _, copy in
                    copy.account == account && !copy.held.contains(lease.peer)
                }
                let envelopes = waiting.compactMap { index, copy in
                    (try? MailEnvelope(copy.envelope)).map { (index, $0) }
                }
                if envelopes.isEmpty { return nil }
                return HomeDeposit(
                    lease: lease,
                    isOwn: account != recipient,
                    grant: waiting.first?.element.grant.flatMap { MailGrant($0) },
                    envelopes: envelopes
                )
            }
        }
    }

    /// Records a home's answers; an envelope without an answer is offered again.
    mutating func record(_ answers: [Bytes32: DepositAnswers.Answer], to deposit: HomeDeposit) {
        for (copy, envelope) in deposit.envelopes {
            switch answers[envelope.hash] {
            case .held: copies[copy].held.insert(deposit.lease.peer)
            case .refused(let refusal):
                reason = [
                    Sentence("refusal.homeRefusedMail"), refusal.reason,
                    Sentence("refusal.triesAgain"),
                ]
            case nil: break
            }
        }
    }

    /// Returns whether all homes of all recipients have it; for receipts one home is enough.
    func isComplete(_ homes: (Address) throws -> [PeerID]) throws -> Bool {
        if copies.isEmpty { return false }
        if place == nil, heldBy > 0 { return true }
        return try copies.allSatisfy { copy in
            let homes = try homes(copy.account)
            return !homes.isEmpty && homes.allSatisfy(copy.held.contains)
        }
    }
}

extension OutgoingMail: StoredValue {
    func write(to writer: inout StoredWriter) {
        writer.write(conversation)
        writer.write(recipient)
        writer.write(number)
        writer.write(optional: place) { $0.write($1) }
        writer.write(mail)
        writer.write(copies)
        writer.write(UInt64(heldNoted))
        writer.write(optional: reason) { $0.write($1) }
    }

    init(from reader: inout StoredReader) throws(StoredValueError) {
        (conversation, recipient) = (try reader.hash(), try reader.address())
        number = try reader.number()
        place = try reader.optional { reader throws(StoredValueError) in try reader.number() }
        mail = try reader.content()
        copies = try reader.values(of: Copy.self)
        heldNoted = Int(clamping: try reader.number())
        reason = try reader.optional { reader throws(StoredValueError) in
            try reader.values(of: Sentence.self)
        }
    }
}

extension OutgoingMail.Copy: StoredValue {
    func write(to writer: inout StoredWriter) {
        writer.write(account)
        writer.write(envelope)
        writer.write(optional: grant) { $0.write($1) }
        writer.write(UInt64(held.count))
        for home in held.sorted() { writer.write(home.multihash) }
    }

    init(from reader: inout StoredReader) throws(StoredValueError) {
        (account, envelope) = (try reader.address(), try reader.content())
        grant = try reader.optional { reader throws(StoredValueError) in try reader.content() }
        for _ in 0..<(try reader.number()) { held.insert(PeerID(multihash: try reader.content())) }
    }
}
