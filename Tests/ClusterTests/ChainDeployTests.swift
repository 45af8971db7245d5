import Cluster
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import Trade

/// `stoa chain deploy` on a real development chain.
@Suite(.timeLimit(.minutes(5)))
struct ChainDeployTests {
    private struct Agreed: Error { var preview = "" }

    private func deployment(on dev: DevChain, in folder: TemporaryFolder) throws -> ChainDeploy {
        let isMade = FileManager.default.createFile(
            atPath: folder.path("key"),
            contents: Data(String(repeating: "06", count: 32).utf8),
            attributes: [.posixPermissions: 0o600]
        )
        #expect(isMade)
        return ChainDeploy(
            chain: dev.chainNumber,
            endpoints: [dev.endpoint.url],
            keyFile: folder.path("key"),
            output: folder.path("deployment.json")
        )
    }

    @Test func `a deployment sends the headers that its endpoint requires`() async throws {
        try await DevChain.scoped { dev, _ in
            try await dev.control("dev_fault", #"["provider", {"shape": "no_key"}]"#)
            let folder = try TemporaryFolder()
            var deploy = try deployment(on: dev, in: folder)
            let refused = await #expect(throws: EthereumError.self) {
                try await deploy.run(logger: quiet, agree: { _ in throw Agreed() })
            }
            #expect(refused.map { "\($0)" }?.contains("HTTP 401") == true)
            deploy.endpointHeaders = ["x-api-key: test-key-of-nobody"]
            let asked = await #expect(throws: Agreed.self) {
                try await deploy.run(logger: quiet, agree: { throw Agreed(preview: $0) })
            }
            #expect(asked?.preview.contains("have    0 ETH; add funds first") == true)
            #expect(!FileManager.default.fileExists(atPath: folder.path("deployment.json")))
        }
    }

    @Test func `a deployment continues with the minimum tip that a pool requires`() async throws {
        try await DevChain.scoped { dev, _ in
            let folder = try TemporaryFolder()
            let key = testKey(6)
            try await dev.fund(key.address)
            try await dev.control("dev_fault", #"["least_tip", {"wei": 3000000000}]"#)
            var deploy = try deployment(on: dev, in: folder)
            deploy.confirmations = 1
            deploy.pollInterval = .milliseconds(20)
            let refusal = await #expect(throws: DeployError.self) {
                try await deploy.run(logger: quiet, agree: { _ in })
            }
            guard case .notTaken(step: "factory", let reason)? = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(reason.contains("minimum needed 3000000000"))

            deploy.tipMin = try #require(ChainDeploy.tip(gwei: "3"))
            let market = try await deploy.run(logger: quiet, agree: { _ in })

            let written = try DeployedMarket(
                file: folder.path("deployment.json"),
                chain: ChainID(dev.chainNumber)
            )
            #expect(written == market)
        }
    }

    @Test func `a minimum tip is in gwei, with at most nine decimals`() {
        #expect(ChainDeploy.tip(gwei: "0.05") == Amount(small: 50_000_000))
        for text in ["", "-1", "1e3", "0.0000000001", "1 gwei", ".5"] {
            #expect(ChainDeploy.tip(gwei: text) == nil, "\(text)")
        }
    }
}
