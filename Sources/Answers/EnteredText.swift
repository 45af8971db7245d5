import Client
package import Keys
package import Market
import Setup

extension Amount {
    /// Reads an amount that a person entered.
    package static func entered(_ text: String, field: String) throws(Refusal) -> Amount {
        guard let amount = Amount(decimal: text) else {
            throw Refusal(
                .badAmount,
                Sentence("refusal.notAnAmount", ["text": text.quoted]),
                field: field
            )
        }
        return amount
    }
}

extension Address {
    /// Reads an address that a person entered.
    package static func entered(_ text: String, field: String) throws(Refusal) -> Address {
        do { return try Address(text: text) } catch {
            throw Refusal(
                .badAddress,
                Sentence("refusal.notAnAddress", ["text": text.quoted]),
                field: field
            )
        }
    }
}

extension Signature {
    /// Reads a signature as wallets show it.
    ///
    /// - Throws: ``Refusal`` with `bad_signature`.
    package static func entered(_ text: String, field: String) throws(Refusal) -> Signature {
        let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
        guard let bytes = Hex.decode(digits), let signature = Signature(wallet: bytes) else {
            throw Refusal(.badSignature, Sentence("refusal.signatureForm"), field: field)
        }
        return signature
    }
}

extension ListingID {
    /// Reads the id of a listing that a person entered, or a link with it.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing`.
    package init(_ text: String) throws(Refusal) {
        guard let id = ListingID(text: text) else {
            throw Refusal(
                .unknownListing,
                Sentence("refusal.notAListingID", ["text": text.quoted]),
                field: "listing"
            )
        }
        self = id
    }
}
