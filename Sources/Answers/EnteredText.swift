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
                "\(text.quoted) is not an amount. Enter only decimal digits, in the smallest unit "
                    + "(wei), without a sign, point or exponent.",
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
                "\(text.quoted) is not an address. Copy it exactly: 0x and 40 digits, with its capital letters.",
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
            throw Refusal(
                .badSignature,
                "A signature has 130 hexadecimal digits; the last two are 1b, 1c, 00 or 01. Copy "
                    + "the whole text that your wallet shows.",
                field: field
            )
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
                "\(text.quoted) is not a listing id. An id looks like 0x….<64 digits>.",
                field: "listing"
            )
        }
        self = id
    }
}
