import Ethereum
import Foundation
import Keys
import Market
import Setup
import Testing

struct ConfigurationTests {
    @Test func `prefers flags to the environment, the file and the default`() throws {
        let file = try temporaryFile("api:\n  port: 1\n  host: 10.0.0.1\nnetwork: from-file\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let sources = try ConfigurationSources(
            flags: ["api.port": "3"],
            environment: ["STOA_API_PORT": "2", "STOA_API_HOST": "10.0.0.2", "PATH": "/bin"],
            file: file
        )
        let configuration = try Configuration(sources)

        #expect(configuration.apiPort == 3)
        #expect(configuration.apiHost == "10.0.0.2")
        #expect(configuration.network == "from-file")
        #expect(configuration.healthPort == 9090)
        let origins = Dictionary(
            uniqueKeysWithValues: configuration.findings.map { ($0.key.name, $0.finding.origin) }
        )
        #expect(origins["api.port"] == "--set")
        #expect(origins["api.host"] == "environment")
        #expect(origins["network"] == file)
        #expect(origins["health.port"] == "default")
    }

    @Test func `reads lists from the file and from the environment`() throws {
        let file = try temporaryFile("announce: [/ip4/1.2.3.4/tcp/1, /ip4/1.2.3.5/tcp/2]\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let sources = try ConfigurationSources(
            flags: [:],
            environment: ["STOA_CHAIN_RPC": "http://a:1, https://b:2"],
            file: file
        )
        let configuration = try Configuration(sources)

        #expect(configuration.announce == ["/ip4/1.2.3.4/tcp/1", "/ip4/1.2.3.5/tcp/2"])
        #expect(configuration.chains[0].endpoints == ["http://a:1", "https://b:2"])
    }

    /// - From commands: a minimum tip that is not a number of gwei with at most nine decimals, or
    ///   is above the tip ceiling → exit 4
    @Test func `reads the minimum tip exactly, up to its ceiling`() throws {
        func least(_ text: String, on chain: String = "137") throws -> Amount {
            let flags = ["chain.id": chain, "chain.tipFloorGwei": text]
            return try Configuration(
                ConfigurationSources(flags: flags, environment: [:], file: "/nowhere/stoa.yaml")
            ).chains[0].fees.tipMin
        }
        #expect(try least("0") == Amount(small: 25_000_000_000))
        #expect(try least("0", on: "1") == Amount(small: 1_000_000))
        #expect(try least("0.05") == Amount(small: 50_000_000))
        #expect(try least("30.000000001") == Amount(small: 30_000_000_001))
        for text in ["", "-1", "1.", ".5", "1,5", "0.0000000001", "one", "50.1"] {
            #expect(throws: ConfigurationError.self, "\(text)") { try least(text) }
        }
    }

    @Test func `enables deadline moves unless switched off, for all or for some`() throws {
        let other = Address.zero
        let account = try Address(text: "0x00000000000000000000000000000000000000aa")
        func deadlines(_ flags: [String: String]) throws -> DeadlineSettings {
            try Configuration(
                ConfigurationSources(flags: flags, environment: [:], file: "/nowhere/stoa.yaml")
            ).deadlines
        }
        #expect(try deadlines([:]).allow(account))
        #expect(try !deadlines(["deadlines.execute": "no"]).allow(account))
        let some = try deadlines(["deadlines.except": account.checksummed])
        #expect(!some.allow(account) && some.allow(other))
    }

    @Test func `shows only an endpoint's host`() throws {
        let sources = try ConfigurationSources(
            flags: ["chain.rpc": "wss://eth.example/v3/secret, http://127.0.0.1:8545"],
            environment: [:],
            file: "/nowhere/stoa.yaml"
        )
        let configuration = try Configuration(sources)
        #expect(configuration.chains[0].endpoints.first == "wss://eth.example/v3/secret")
        let shown = configuration.findings.first { $0.key.name == "chain.rpc" }
        #expect(shown?.finding.text == "wss://eth.example/…,http://127.0.0.1:8545")

        let wrong = try ConfigurationSources(
            flags: ["chain.rpc": "wsx://eth.example/v3/secret"],
            environment: [:],
            file: "/nowhere/stoa.yaml"
        )
        let error = #expect(throws: ConfigurationError.self) { try Configuration(wrong) }
        #expect(error.map { !"\($0)".contains("secret") } == true)
    }

    /// - From commands: one host with both WebSocket and HTTP in `chain.rpc` → exit 4
    /// - From commands: two endpoints on one host in `chain.rpc` → exit 4
    @Test(arguments: [
        "https://eth.example/v3/one, https://eth.example/v3/two",
        "https://eth.example/v3/one, https://ETH.example:443/v3/two",
        "https://eth.example/v3/one, http://eth.example/v3/two",
        "wss://eth.example/v3/one, wss://eth.example/v3/two",
        "wss://eth.example/v3/one, https://eth.example/v3/two",
        "ws://eth.example:8546/v3/one, http://ETH.example:8545/v3/two",
    ])
    func `does not count two keys of one provider as two endpoints`(endpoints: String) throws {
        let sources = try ConfigurationSources(
            flags: ["chain.rpc": endpoints],
            environment: [:],
            file: "/nowhere/stoa.yaml"
        )
        let error = #expect(throws: ConfigurationError.self) { try Configuration(sources) }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.contains("count as one source") && !words.contains("v3"), "\(words)")
    }

    /// - From commands: a limit in `chain.rpcPerSecond` that is not a number, or not one limit for
    ///   each endpoint → exit 4
    @Test func `an endpoint has its own limit or the default one`() throws {
        func paces(_ text: String) throws -> [Int?] {
            try Configuration(
                ConfigurationSources(
                    flags: [
                        "chain.rpc": "wss://a.example, https://b.example",
                        "chain.rpcPerSecond": text,
                    ],
                    environment: [:],
                    file: "/nowhere/stoa.yaml"
                )
            ).chains[0].endpointPaces
        }
        #expect(try paces("0") == [nil, nil])
        #expect(try paces("25") == [25, 25])
        #expect(try paces("10, 0") == [10, nil])
        for text in ["1,2,3", "x", "-1", "1.5", "100001", ","] {
            let error = #expect(throws: ConfigurationError.self) { try paces(text) }
            #expect(error.map { "\($0)".contains("chain.rpcPerSecond") } == true)
        }
    }

    /// - From commands: an unknown configuration key, answered with the most similar one → exit 4
    @Test func `suggests the setting most similar to an unknown one`() throws {
        let file = try temporaryFile("api:\n  prot: 1\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(
            throws: ConfigurationError.unknownKey("api.prot", nearest: "api.port", origin: file)
        ) {
            try ConfigurationSources(flags: [:], environment: [:], file: file)
        }
    }

    /// - From commands: a mistyped name in the environment → exit 4
    @Test(arguments: [
        ("STOA_API_PROT", "STOA_API_PORT"), ("STOA_CHAIN_RPCS", "STOA_CHAIN_RPC"),
        ("STOA_NETWROK", "STOA_NETWORK"), ("STOA_API_PORTS", "STOA_API_PORT"),
    ])
    func `suggests the most similar setting for an environment variable`(
        name: String,
        nearest: String
    ) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationSources(flags: [:], environment: [name: "1"], file: "")
        }
        #expect(error == .unknownKey(name, nearest: nearest, origin: "the environment"))
    }

    @Test func `reads a two-word setting from the environment, but no other names`() throws {
        let sources = try ConfigurationSources(
            flags: [:],
            environment: [
                "STOA_CHAIN_POLL_MILLISECONDS": "77", "STOA_DATA": "x", "STOA_VECTORS": "y",
                "STOA_STOP_AFTER": "signed",
            ],
            file: ""
        )
        #expect(try Configuration(sources).chains[0].poll == .milliseconds(77))
    }

    @Test func `refuses a file that cannot be read`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        #expect(throws: ConfigurationError.self) {
            try ConfigurationSources(flags: [:], environment: [:], file: folder)
        }
    }

    /// - From commands: a configuration file that is not a mapping, or cannot be read → exit 4
    @Test(arguments: ["a: [", "just text", "- a\n- b"])
    func `refuses a file that is not a mapping`(text: String) throws {
        let file = try temporaryFile(text)
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(throws: ConfigurationError.self) {
            try ConfigurationSources(flags: [:], environment: [:], file: file)
        }
    }

    /// - From commands: a list within a list, or one setting in two spellings, in the file → exit 4
    @Test(arguments: [
        "deadlines: {except: [[\"0x12\"]]}", "bootstrap:\n- - a", "api.origins: [{a: [b]}]",
        "chain.feeCeilingGwei: 10\nchain: {feeCeilingGwei: 500}",
    ])
    func `refuses a file of which a value would be lost`(text: String) throws {
        let file = try temporaryFile(text)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationSources(flags: [:], environment: [:], file: file)
        }
        guard case .unreadable = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// - From commands: an invalid configuration value → exit 4
    @Test(arguments: [
        ("api.port", "65536"), ("api.port", "x"), ("chain.confirmations", "0"),
        ("keystore.scryptCost", "1000"), ("gossip.policy", "loose"), ("homes.accept", "yes"),
        ("chain.rpcPerSecond", "fast"), ("log.level", "loud"), ("network", "with space"),
        ("network", ""),
        ("listen", "x"), ("announce", "/ip4/1.2.3.4"), ("bootstrap", "/ip4/1.2.3.4/tcp/1"),
        ("chain.explorer", "https://etherscan.io/tx/"), ("chain.explorer", "etherscan.io"),
        ("reports.account", "ana"), ("deadlines.execute", "maybe"), ("deadlines.except", "0x12"),
        ("deadlines.except", "ana"),
        ("api.origins", "shop.example"), ("api.origins", "https://shop.example/path"),
    ])
    func `refuses an impossible value`(key: String, value: String) throws {
        let sources = try ConfigurationSources(flags: [key: value], environment: [:], file: "")
        #expect {
            try Configuration(sources)
        } throws: { error in
            guard case .invalid(key, value, _, "--set") = error as? ConfigurationError else {
                return false
            }
            return true
        }
    }

    @Test func `has a value for each setting without any source`() throws {
        let sources = try ConfigurationSources(flags: [:], environment: [:], file: "/nonexistent")
        #expect(try Configuration(sources).apiHost == "127.0.0.1")
    }
}

private func temporaryFile(_ text: String) throws -> String {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: url)
    return url.path
}
