import Ethereum
import Keys
import Texts

/// Checks of the address of the other side of a sale.
extension MarketChain {
    /// Warns that an account is a contract; `nil` if it is not.
    ///
    /// An account that delegates to code (EIP-7702) still has a key and does not count as a
    /// contract.
    ///
    /// - Parameters:
    ///   - account: The other side of a sale.
    ///   - role: Its role, such as `seller`.
    /// - Returns: The warning.
    /// - Throws: ``Refusal`` if the chain cannot be asked.
    func contractWarning(of account: Address, as role: String) async throws -> Sentence? {
        let code = try await asking { try await client.code(of: account) }
        guard !code.isEmpty, !code.starts(with: Self.delegation) else { return nil }
        return Sentence(
            "party.isContract",
            ["role": "role.\(role)", "account": account.checksummed]
        )
    }

    /// The first bytes of the code of an account that delegates to a contract.
    ///
    /// Source: EIP-7702, "Delegation Designation".
    private static let delegation: [UInt8] = [0xEF, 0x01, 0x00]
}
