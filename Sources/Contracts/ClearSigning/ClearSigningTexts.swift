/// The texts that a wallet shows for the calls of one contract before it signs them.
///
/// Source: ERC-7730, version 2.0.0, section "Display".
package struct ClearSigningTexts: Sendable {
    /// How each argument is shown, in every call that has it.
    let fields: [ClearSigningField]
    let calls: [ClearSigningCall]

    init(_ fields: [ClearSigningField], _ calls: [ClearSigningCall]) {
        (self.fields, self.calls) = (fields, calls)
    }

    /// Returns the texts of two parts of a contract as one.
    static func + (first: ClearSigningTexts, second: ClearSigningTexts) -> ClearSigningTexts {
        ClearSigningTexts(first.fields + second.fields, first.calls + second.calls)
    }
}

/// How an argument is shown.
struct ClearSigningField: Hashable, Sendable {
    /// The form of the value, in the terms of ERC-7730, section "Field formats".
    enum Format: Hashable, Sendable {
        case address
        /// An amount of the currency whose address is at a path; the zero address means the
        /// chain's own.
        case amount(currency: String)
        /// An amount of the chain's own currency.
        case native
        /// Seconds since 1970.
        case date
        /// A number of seconds.
        case duration
        /// Basis points, shown in percent.
        case share
        /// A token of the market's item contract.
        case item
        /// As it is: a number, a hash, a boolean.
        case plain
    }

    /// The names of the argument and its parts, joined by dots; `@.value` is the money sent along.
    let path: String
    /// The code of its label, see `Texts`.
    let label: String
    let format: Format

    init(_ path: String, _ label: String, _ format: Format) {
        (self.path, self.label, self.format) = (path, label, format)
    }
}

/// The display of one function.
struct ClearSigningCall: Hashable, Sendable {
    /// The function's name, or its signature if the contract has several of the name.
    let function: String
    /// The code of the purpose of the call, see `Texts`.
    let intent: String
    /// The paths of the values that must be shown, in this order.
    ///
    /// Wallets may leave out the other arguments.
    let shown: [String]
    /// Arguments that this function shows in another way than the contract's others.
    let fields: [ClearSigningField]

    init(
        _ function: String,
        _ intent: String,
        _ shown: [String],
        fields: [ClearSigningField] = []
    ) {
        (self.function, self.intent, self.shown) = (function, intent, shown)
        self.fields = fields
    }
}

extension ClearSigningTexts {
    /// The texts of the calls that all contracts that hold money for others have.
    static let money = ClearSigningTexts(
        [
            ClearSigningField("currency", "label.currency", .address),
            ClearSigningField("amount", "label.amount", .amount(currency: "currency")),
            ClearSigningField("to", "label.to", .address),
        ],
        [ClearSigningCall("withdraw", "call.collect", ["amount", "to"])]
    )

    /// The arguments that every offer of an item has.
    static let offer = ClearSigningTexts(
        [
            ClearSigningField("offer.seller", "label.seller", .address),
            ClearSigningField("offer.salt", "label.listing", .plain),
            ClearSigningField("offer.token", "label.item", .item),
            ClearSigningField("offer.maker", "label.maker", .address),
            ClearSigningField("offer.content_hash", "label.itemHash", .plain),
            ClearSigningField("offer.promise", "label.listingHash", .plain),
            ClearSigningField("offer.terms.currency", "label.currency", .address),
        ],
        []
    )
}
