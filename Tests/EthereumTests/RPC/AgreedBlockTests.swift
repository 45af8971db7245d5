import Ethereum
import Keys
import Market
import Support
import Testing

/// A block whose time must not go by the word of one endpoint.
struct AgreedBlockTests {
    private func client(_ seconds: [UInt64?]) throws -> ChainClient {
        let transport = FakeTransport()
        var endpoints: [Endpoint] = []
        for (index, seconds) in seconds.enumerated() {
            let endpoint = try Endpoint(url: "https://number\(index).example")
            endpoints.append(endpoint)
            guard let seconds else { continue }
            transport.set(endpoint) { request in
                let isFirst = String(decoding: request, as: UTF8.self).contains("eth_chainId")
                let hash = Bytes32.zero.hex
                let block =
                    #"{"number":"0x7","hash":"\#(hash)","parentHash":"\#(hash)","#
                    + #""timestamp":"0x\#(String(seconds, radix: 16))"}"#
                let result = isFirst ? #""0x7a69""# : block
                return [UInt8](#"{"jsonrpc":"2.0","id":0,"result":\#(result)}"#.utf8)
            }
        }
        return ChainClient(
            chain: ChainID(31_337),
            endpoints: endpoints,
            transport: transport,
            clock: SteppedClock(),
            logger: quiet
        )
    }

    /// - From endpoints: another time of an old block than two others give it → theirs counts; without
    ///   a second answer, none does
    @Test(arguments: [[9, 5, 5], [5, 9, 5], [5, 5, 9], [5, nil, 5], [5]] as [[UInt64?]])
    func `two of three endpoints say a block's time`(seconds: [UInt64?]) async throws {
        #expect(try await client(seconds).block(at: 7)?.timestamp == 5)
    }

    @Test(arguments: [[9, 5], [9, 5, nil], [9, 5, 6], [5, nil, nil]] as [[UInt64?]])
    func `one endpoint's time of a block is none`(seconds: [UInt64?]) async throws {
        let client = try client(seconds)
        await #expect(throws: EthereumError.self) { try await client.block(at: 7) }
    }

    /// - From endpoints: an endpoint that contradicted itself, while another one answers alone → the error
    ///   names the first one
    @Test func `an endpoint that answers alone is not blamed`() async throws {
        let client = try client([9, 5])
        let names = await client.reports.map(\.name)
        let both = names.map(\.description).joined(separator: ", ")
        let differ = EthereumError.noAgreement(
            client.chain,
            detail: "\(both) say different things of block 7"
        )
        await #expect(throws: differ) { try await client.block(at: 7) }
        let first = try #require(try await client.session(of: names[0]))
        await client.mistrust(first, because: "it lies")
        let fault = EthereumError.contradiction(names[0], detail: "it lies")
        await #expect(throws: fault) { try await client.block(at: 7) }
    }
}
