import Ethereum
import Foundation
import Market
import Setup
import Support
import Testing

/// The settings of several chains.
struct ChainSettingsTests {
    private static let list = """
        chain:
          id: 31337
          rpc: http://127.0.0.1:8545
          deployment: own.json
        chains:
          - id: 8217
            rpc: [https://a.example, https://b.example/v3/secret]
            rpcPerSecond: [10, 0]
            deployment: kaia.json
            confirmations: 5
            feeCeilingGwei: 750
            explorer: https://kaiascan.io/tx/{transaction}
          - id: 137
            rpc: wss://polygon.example
            deployment: /markets/polygon.json

        """

    private func read(
        _ text: String,
        flags: [String: String] = [:],
        environment: [String: String] = [:]
    ) throws -> Configuration {
        let folder = try TemporaryFolder()
        let file = folder.path("stoa.yaml")
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return try Configuration(
            ConfigurationSources(flags: flags, environment: environment, file: file)
        )
    }

    @Test func `reads further chains from a list after the first one`() throws {
        let configuration = try read(Self.list)
        let chains = configuration.chains
        #expect(chains.map(\.id.number) == [31_337, 137, 8_217])
        #expect(chains[0].confirmations == 3 && chains[2].confirmations == 5)
        #expect(chains[2].endpoints == ["https://a.example", "https://b.example/v3/secret"])
        #expect(chains[2].endpointPaces == [10, nil])
        #expect(chains[2].deployment.hasSuffix("/kaia.json"))
        #expect(chains[2].deployment.hasPrefix("/"))
        #expect(chains[1].deployment == "/markets/polygon.json")
        #expect(chains[2].fees.ceiling == Amount(small: 750_000_000_000))
        #expect(chains[1].fees == .standard(for: ChainID(137)))
        #expect(chains[2].explorer?.template == "https://kaiascan.io/tx/{transaction}")
        let found = configuration.findings.map { ($0.key.name, $0.finding.text) }
        let shown = Dictionary(uniqueKeysWithValues: found)
        #expect(shown["chains.8217.rpc"] == "https://a.example,https://b.example/…")
        #expect(shown["chains.137.confirmations"] == "3" && shown["chains.137.id"] == nil)
        let tip = configuration.findings.first { $0.key.name == "chains.137.tipCeilingGwei" }
        #expect(tip.flatMap { configuration.usual($0.key) } == "50")
    }

    @Test func `a list alone is enough; environment and flags override it`() throws {
        let chains = try #require(Self.list.range(of: "chains:"))
        let configuration = try read(
            String(Self.list[chains.lowerBound...]),
            flags: ["chains.137.confirmations": "9"],
            environment: ["STOA_CHAINS_8217_POLL_MILLISECONDS": "70"]
        ).chains
        #expect(configuration.map(\.id.number) == [137, 8_217])
        #expect(configuration[0].confirmations == 9)
        #expect(configuration[1].poll == .milliseconds(70))
        let flags = try read(
            "",
            flags: ["chains.5.rpc": "http://127.0.0.1:1", "chains.5.deployment": "x.json"]
        )
        #expect(flags.chains.map(\.id.number) == [5] && flags.chains[0].isFollowed)
        let none = try read("")
        #expect(none.chains.map(\.id.number) == [1] && !none.chains[0].isFollowed)
    }

    /// - From commands: an entry of `chains` without an id, twice, or without a market's file →
    ///   exit 4
    @Test(arguments: [
        ("chains:\n  - rpc: http://a.example\n", "a list of chains, each with its 'id'"),
        ("chains:\n  - id: x\n", "a list of chains, each with its 'id'"),
        ("chains:\n  - 8217\n", "a list of chains, each with its 'id'"),
        (
            "chains:\n  - {id: 5, rpc: 'http://a.example'}\n  - {id: 5, rpc: 'http://b.example'}\n",
            "each chain once"
        ),
        ("chains:\n  - {id: 5, rpc: 'http://a.example'}\n", "the path of a market's file"),
        ("chains:\n  - {id: 5, deployment: a.json}\n", "at least one URL"),
        ("chains:\n  - {id: 5, prc: 'http://a.example'}\n", "Did you mean 'chains.5.rpc'?"),
        ("chains:\n  - {id: 5, deployment: a, rpc: 'ftp://a'}\n", "'chains.5.rpc' is"),
        (
            "chain: {id: 5, deployment: a, rpc: 'http://a.example'}\n"
                + "chains:\n  - {id: 5, deployment: b, rpc: 'http://b.example'}\n",
            "'chains' has this chain too"
        ),
    ])
    func `says why a chain's settings are invalid`(text: String, reason: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error.map { "\($0)" }?.contains(reason) == true, "\(error.map { "\($0)" } ?? "")")
    }

    /// - From commands: an unknown setting of a chain in `chains`, answered with the most similar
    ///   name → exit 4
    @Test func `suggests the most similar setting of a chain`() {
        let flag = #expect(throws: ConfigurationError.self) {
            try read("", flags: ["chains.5.confirmation": "3"])
        }
        #expect(flag.map { "\($0)" }?.contains("chains.5.confirmations") == true)
        let variable = #expect(throws: ConfigurationError.self) {
            try read("", environment: ["STOA_CHAINS_5_RCP": "x"])
        }
        #expect(variable.map { "\($0)" }?.contains("STOA_CHAINS_5_RPC") == true)
    }

    @Test func `a backup contains the market file of every chain`() throws {
        let folder = try TemporaryFolder()
        let node = DataFolder(path: folder.path("node"))
        try node.initialise()
        try node.makeStore()
        let text = Self.list.replacing("/markets/polygon.json", with: "polygon.json")
        try text.write(toFile: node.configurationFile, atomically: true, encoding: .utf8)
        for name in ["own", "kaia", "polygon"] {
            try Data(name.utf8).write(to: URL(filePath: node.path + "/\(name).json"))
        }
        let now = Date(timeIntervalSince1970: 1_763_700_000)
        #expect(try node.export(to: folder.path("backup"), at: now) == nil)
        let copy = DataFolder(path: folder.path("backup"))
        let chains = try Configuration(
            ConfigurationSources(flags: [:], environment: [:], file: copy.configurationFile)
        ).chains
        let names = ["deployment.json", "deployment-137.json", "deployment-8217.json"]
        #expect(chains.map(\.deployment) == names.map { copy.path + "/" + $0 })
        let contents = try chains.map { try String(contentsOfFile: $0.deployment, encoding: .utf8) }
        #expect(contents == ["own", "polygon", "kaia"])
        #expect(chains[2].confirmations == 5)
    }

    @Test func `sends headers to their endpoints and shows only their names`() throws {
        let text = """
            chain:
              rpc: [https://a.example, http://user:pass@b.example:8545]
              rpc.headers:
                - a.example X-Api-Key: 12345678
                - "b.example:8545 token: abc def"
            chains:
              - id: 5
                rpc: wss://c.example
                rpc.headers: ["Authorization: Bearer secret"]
                deployment: five.json

            """
        let configuration = try read(text, flags: ["chain.deployment": "one.json"])
        let headers = configuration.chains.map(\.endpointHeaders)
        #expect(headers[0][0] == [.init(name: "x-api-key", value: "12345678")])
        #expect(
            headers[0][1] == [
                .init(name: "authorization", value: "Basic dXNlcjpwYXNz"),
                .init(name: "token", value: "abc def"),
            ]
        )
        #expect(headers[1] == [[.init(name: "authorization", value: "Bearer secret")]])
        let shown = configuration.findings.map { "\($0.key.name)=\($0.finding.text)" }
        #expect(shown.contains("chain.rpc.headers=a.example X-Api-Key: …,b.example:8545 token: …"))
        #expect(shown.contains("chains.5.rpc.headers=Authorization: …"))
        for secret in ["12345678", "abc", "secret", "pass", "dXNlcj"] {
            #expect(!shown.joined().contains(secret))
        }
        let environment = try read(
            "",
            environment: [
                "STOA_CHAINS_5_RPC_HEADERS": "k: v", "STOA_CHAINS_5_RPC": "http://a.example",
                "STOA_CHAINS_5_DEPLOYMENT": "x.json",
            ]
        )
        #expect(environment.chains[0].endpointHeaders == [[.init(name: "k", value: "v")]])
    }

    /// - From commands: an entry of `chain.rpc.headers` that is not a header, is given twice, or
    ///   does not name its endpoint → exit 4
    @Test(arguments: [
        "no-host: secret", "c.example k: secret", "a.example secret", "a.example k:",
        "a.example content-length: secret", "a.example k y: secret", "a.example k: secret,secret",
        "a.example k: s\u{e9}cret", "a.example k: secret,a.example K: secret",
        "b.example authorization: secret", "k:secret l:secret", "k:1 secret:secret",
        "a.example k secret: secret", "k secret: secret", "a.example:80 k: secret",
    ])
    func `refuses malformed headers without showing their values`(text: String) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try read(
                "",
                flags: [
                    "chain.rpc": "http://a.example,http://user:pass@b.example",
                    "chain.rpc.headers": text,
                ]
            )
        }
        let words = "\(try #require(error))"
        #expect(words.contains("must be headers such as") && !words.contains("secret"), "\(words)")
    }

    @Test(arguments: [
        ("authorization:Bearer user:secret", "authorization: …"),
        ("x-key:secret1 secret2:secret3", "x-key: …"), ("x-key:8545 secret:secret", "x-key: …"),
        ("B.example:8545 token:secret", "B.example:8545 token: …"),
        ("b.example:8545 token:secret secret:secret", "b.example:8545 token: …"),
    ])
    func `shows only a header's name and endpoint, however it is spelled`(
        text: String,
        shown: String
    ) throws {
        let configuration = try read(
            "",
            flags: [
                "chain.rpc": "http://b.example:8545", "chain.rpc.headers": text,
                "chains.5.rpc": "https://b.example:8545", "chains.5.rpc.headers": text,
                "chain.deployment": "one.json", "chains.5.deployment": "five.json",
            ]
        )
        #expect(configuration.chains.allSatisfy { $0.endpointHeaders[0].count == 1 })
        let found = configuration.findings.map { "\($0.key.name)=\($0.finding.text)" }
        #expect(found.contains("chain.rpc.headers=\(shown)"), "\(found)")
        #expect(found.contains("chains.5.rpc.headers=\(shown)"))
    }

    @Test func `refuses a file that is not YAML without showing its text`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try read("chain:\n  rpc.headers: \"k: secret\n  - x")
        }
        let words = "\(try #require(error))"
        #expect(words.contains("line ") && !words.contains("secret"), "\(words)")
    }

    @Test func `says that a name appears twice in its file`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try read("api.port: 1\nchain:\n  id: 5\n  id: 7")
        }
        let words = "\(try #require(error))"
        #expect(words.contains("twice") && words.contains("line 3"), "\(words)")
    }
}
