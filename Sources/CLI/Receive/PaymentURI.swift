/// A request for money in the form that other wallets read, such as
/// `ethereum:0x5aAe…@1?value=500000000000000000`.
///
/// A token's request names the token's contract and the call `transfer`; without an amount the
/// payer's wallet asks for it.
///
/// Source: EIP-681; the `@` and a chain id follow the address, numbers are in the smallest unit.
struct PaymentURI {
    let account: String
    /// `nil` if a request of another program names none.
    let chain: UInt64?
    /// `native`, or the token contract's address.
    var currency = "native"
    /// In the currency's smallest unit.
    var amount: String?

    init(account: String, chain: UInt64) { (self.account, self.chain) = (account, chain) }

    var text: String {
        let place = chain.map { "@\($0)" } ?? ""
        guard currency != "native" else {
            return "\(Self.scheme)\(account)\(place)" + (amount.map { "?value=\($0)" } ?? "")
        }
        let part = amount.map { "&uint256=\($0)" } ?? ""
        return "\(Self.scheme)\(currency)\(place)/transfer?address=\(account)\(part)"
    }
}
