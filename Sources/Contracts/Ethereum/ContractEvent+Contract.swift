extension ContractEvent {
    /// What the contract logged, for the bindings to read.
    package var contractLog: ContractLog {
        ContractLog(address: address, topics: topics, data: data)
    }
}
