/// Where programs on this machine find the running node; written to its data folder.
package struct RunningNode: Codable, Sendable {
    /// The API's base, such as `http://127.0.0.1:8080`.
    package let api: String
    /// The base of `/livez`, `/readyz` and `/metrics`.
    package let health: String
    package let peer: String
    /// The addresses that other nodes can dial.
    package let addresses: [String]
    package let process: Int32

    package init(
        api: String,
        health: String,
        peer: String,
        addresses: [String],
        process: Int32
    ) {
        (self.api, self.health, self.peer) = (api, health, peer)
        (self.addresses, self.process) = (addresses, process)
    }
}
