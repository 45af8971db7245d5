import Contracts
import Foundation
import Keys
import Support
import Testing
import Trade

@testable import Cluster

/// The files by which wallets show calls in words.
struct WalletDescriptorsTests {
    /// - From commands: a deployment file that cannot be read, or of a market that is not proved,
    ///   at `chain descriptors` → exit 2, 4
    @Test func `writes descriptors only for a verified market`() throws {
        let folder = try TemporaryFolder()
        let market = try DeployedMarket.proven()
        let (file, output) = (folder.path("deployment.json"), folder.path("descriptors"))
        try Data(market.json).write(to: URL(filePath: file))
        let written = try WalletDescriptors(deployment: file, folder: output).write()
        #expect(written == ["Item.json", "Escrow.json", "Record.json"])
        let names = try FileManager.default.contentsOfDirectory(atPath: output)
        #expect(Set(names) == Set(written))

        var other = try #require(String(bytes: market.json, encoding: .utf8))
        other.replace("\"firstBlock\" : 7", with: "\"firstBlock\" : 8")
        try Data(other.utf8).write(to: URL(filePath: file))
        #expect(try WalletDescriptors(deployment: file, folder: output).write() == written)

        let address = market.contracts[0].address.checksummed
        other.replace(address, with: market.item.address.checksummed)
        try Data(other.utf8).write(to: URL(filePath: file))
        #expect(throws: DeploymentError.self) {
            try WalletDescriptors(deployment: file, folder: folder.path("none")).write()
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
    }
}
