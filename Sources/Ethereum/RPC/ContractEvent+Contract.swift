extension ContractEvent {
    /// The event without its position on the chain, for the bindings to decode.
    package var contractLog: ContractLog {
        ContractLog(address: address, topics: topics, data: data)
    }
}
