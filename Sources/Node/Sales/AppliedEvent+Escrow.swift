package import Contracts
package import Market

extension AppliedEvent {
    /// Decodes the log as an event of `escrow`.
    ///
    /// - Throws: ``ABIError`` for a log that the contract cannot have written.
    package func event(of escrow: EscrowContract) throws(ABIError) -> EscrowLedger.Event {
        let log = ContractLog(address: log.address, topics: log.topics, data: log.data)
        return try escrow.decode(log, at: position)
    }
}
