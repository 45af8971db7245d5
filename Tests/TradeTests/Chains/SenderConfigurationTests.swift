import Ethereum
import Market
import Setup
import Testing
import Trade

/// How the settings of a chain reach its senders.
struct SenderConfigurationTests {
    @Test func `sends transactions by the chain's settings`() throws {
        let sources = try ConfigurationSources(
            flags: [
                "chain.feeCeilingGwei": "3", "chain.tipCeilingGwei": "1",
                "chain.confirmations": "7", "chain.pollMilliseconds": "900",
            ],
            environment: [:],
            file: "/nowhere/stoa.yaml"
        )
        let sending = SenderConfiguration(try Configuration(sources).chains[0])
        #expect(sending.fees.ceiling == Amount(small: 3_000_000_000))
        #expect(sending.fees.tipMax == Amount(small: 1_000_000_000))
        #expect(sending.confirmations == 7)
        #expect(sending.pollInterval == .milliseconds(900))
    }
}
