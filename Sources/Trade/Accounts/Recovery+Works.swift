import AccountAccess
import Client
import Keys
import Mail
import Setup
import Storage

extension Recovery {
    /// How many works without their files are named.
    private static let namesMax = 10

    /// Adds the digital works whose keys have arrived, and names those whose files have not.
    func addWorks(of account: Address, to report: inout RecoveryReport) async throws {
        // The vault of an account that signs elsewhere stays on its node, and so do its works.
        guard await accounts.key(of: account) != nil else { return }
        let unlocked = try await chat.unlockedAccount(account)
        let works = try chat.store.read { try $0.works(of: unlocked) }
        report.works = works.count
        let missing = try chat.store.read { transaction in
            try works.filter { work in
                try Bytes32(hex: work.blob).map {
                    try !transaction.isWorkFile($0, of: account)
                } ?? true
            }
        }
        guard !missing.isEmpty else { return }
        let files = missing.prefix(Self.namesMax).map(\.name.quoted).joined(separator: ", ")
        let more = missing.count - Self.namesMax
        let lacking =
            more > 0
            ? Sentence("recovery.manyFiles", ["files": files, "more": "\(more)"])
            : Sentence("recovery.files", ["files": files])
        report.gaps.append(
            RecoveryGap(what: "works", reason: [lacking, Sentence("recovery.filesCome")])
        )
    }
}
