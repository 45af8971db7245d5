package import Keys

/// The currency of a sale: the chain's native currency or an ERC-20 token.
package enum Currency: Hashable, Sendable {
    case native
    case token(Address)

    /// Reads the contracts' form, in which the zero address is the native currency.
    package init(address: Address) {
        self = address == .zero ? .native : .token(address)
    }

    package var address: Address {
        switch self {
        case .native: .zero
        case .token(let address): address
        }
    }

    /// `native`, or the token's address.
    package var name: String {
        switch self {
        case .native: "native"
        case .token(let address): address.checksummed
        }
    }
}
