import Contracts
import Foundation
import Trade

/// Writes the files by which wallets show the calls and records of a market in words.
///
/// Source: ERC-7730; Docs/operations.md, section 6.3.
package struct WalletDescriptors: Sendable {
    /// The market's deployment file.
    package var deployment: String
    /// The folder that gets the files; it is made if it does not exist.
    package var folder: String

    package init(deployment: String, folder: String) {
        (self.deployment, self.folder) = (deployment, folder)
    }

    /// Writes a file for each contract of the market, and one for records.
    ///
    /// A market whose contracts are not proved gets none, because the words would be trusted.
    ///
    /// - Returns: The names of the files, in the order in which they were written.
    /// - Throws: ``DeploymentError`` if the file cannot be used, ``ClusterError`` if the folder
    ///   cannot be written.
    package func write() throws -> [String] {
        let market = try DeployedMarket(file: deployment, chain: nil)
        let contracts = SaleKinds.standard.contracts
        if let difference = market.unproven(contracts) {
            throw DeploymentError.notGenuine(path: deployment, difference: difference)
        }
        try ClusterFile.makeFolder(folder)
        let descriptors = market.clearSigning(contracts)
        for descriptor in descriptors {
            try ClusterFile.write(descriptor.json, to: folder + "/" + descriptor.name)
        }
        return descriptors.map(\.name)
    }
}
