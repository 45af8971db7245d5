import Foundation
import Keys
import Market

/// Something on its way to the homes of who shall have it, as the outbox keeps it.
///
/// In the clear but for the message itself, so that envelopes go out while the account is locked.
struct OutgoingMail: Codable, Sendable {
    /// One envelope, and where it has got to.
    struct Copy: Codable, Sendable {
        let account: String
        let envelope: Data
        /// The account's grant, which allows to deposit mail and nothing else.
        var grant: Data?
        /// Homes that hold it, by their peer ids' text.
        var held: Set<String> = []
    }

    let conversation: String
    let recipient: String
    let device: String
    let number: UInt64
    /// Where the message is kept; `nil` for receipts, which nobody sees.
    let place: UInt64?
    /// The signed message, sealed to the account's own local secret.
    let mail: Data
    /// The envelopes, once the recipient's keys were known.
    var copies: [Copy] = []
    /// How many homes the message is known to be held by.
    var heldNoted = 0
    /// Why it goes no further at the moment.
    var problem: String?

    init(stored bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(OutgoingMail.self, from: Data(bytes))
    }

    init(
        conversation: Bytes32,
        recipient: Address,
        device: Bytes32,
        number: UInt64,
        place: UInt64?,
        mail: [UInt8]
    ) {
        self.conversation = conversation.text
        self.recipient = recipient.text
        self.device = device.text
        self.number = number
        self.place = place
        self.mail = Data(mail)
    }

    func bytes() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }

    /// Homes of the recipient that hold it.
    var heldBy: Int {
        Set(copies.filter { $0.account == recipient }.flatMap(\.held)).count
    }

    /// Its name in the outbox, which its receipts lead to as well.
    static func id(_ conversation: Bytes32, _ device: Bytes32, _ number: UInt64) -> Bytes32 {
        let digits = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        return Keccak256.hash(conversation.bytes + device.bytes + digits)
    }
}
