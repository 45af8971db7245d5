package import AccountAccess
import Answers
package import Client
import Contracts
import GossipProtocol
package import Keys
package import Mail
import Market
import Records
import Storage

/// Reports this node's findings about an account that was restored from its phrase or key.
///
/// Listings, reviews and sales arrive as for any node: by the exchange of records, and from the
/// chains. The profile is asked for (``ProfilePublisher/isAwaiting(_:)``), and the vault comes
/// from the homes that it names.
package struct Recovery: Sendable {
    /// The maximum number of listings and reviews that are counted.
    private static let countMax = 10_000

    let chat: Chat
    let accounts: Accounts
    /// `nil` on a node without a chain.
    let saleIndexes: SaleIndexes?

    package init(chat: Chat, accounts: Accounts, saleIndexes: SaleIndexes?) {
        (self.chat, self.accounts, self.saleIndexes) = (chat, accounts, saleIndexes)
    }

    /// Returns which parts of an account were found so far, which were not, and why.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`.
    package func report(for account: Address) async throws -> RecoveryReport {
        let vault = try await chat.vault.contents(of: account)
        let mark = try chat.store.read {
            try $0.get(Settings.self, RecoveryMark.setting(of: account))
        }
        let profile = try chat.store.read { try $0.profile(of: account)?.profile.name }
        var report = RecoveryReport(
            isLooking: mark != nil,
            profile: profile,
            homes: [],
            listings: try records(.listing, of: account).count { FoundListing($0) != nil },
            reviews: try records(.review, of: account).count,
            sales: saleIndexes?.sales(of: account).count ?? 0,
            vaultEntries: vault.entries { $0.value != nil }.count,
            works: 0,
            gaps: []
        )
        if await chat.isAlone {
            report.gaps.append(RecoveryGap(what: "peers", reason: [Sentence("recovery.alone")]))
        }
        if profile == nil {
            report.gaps.append(
                RecoveryGap(
                    what: "profile",
                    reason: [
                        mark != nil ? Sentence("recovery.asking") : Sentence("recovery.newProfile")
                    ]
                )
            )
        }
        try await addHomes(of: account, to: &report)
        addSales(to: &report)
        try await addWorks(of: account, to: &report)
        return report
    }

    private func records(_ kind: RecordKind, of account: Address) throws -> [StoredRecord] {
        try chat.store.read { try $0.records(of: kind, by: account, limit: Self.countMax) }
    }

    /// Adds the account's homes, and why the vault of one was not exchanged.
    private func addHomes(of account: Address, to report: inout RecoveryReport) async throws {
        let exchanges = try await chat.vaultExchanger.exchanges(of: account)
        for (home, isThisNode, outcome) in exchanges {
            let peer = home.text
            guard !isThisNode else {
                report.homes.append(RecoveredHome(peer: peer, vault: "own"))
                continue
            }
            guard let outcome else {
                report.homes.append(RecoveredHome(peer: peer, vault: "waiting"))
                continue
            }
            let state = outcome.reason == nil ? "exchanged" : "failed"
            report.homes.append(RecoveredHome(peer: peer, vault: state))
            if let why = outcome.reason {
                let notExchanged = Sentence("recovery.notExchanged", ["peer": peer])
                let reason = [notExchanged] + why + [Sentence("recovery.askedAgain")]
                report.gaps.append(RecoveryGap(what: "vault", reason: reason))
            }
        }
        if report.homes.allSatisfy({ $0.vault == "own" }), report.vaultEntries == 0 {
            report.gaps.append(RecoveryGap(what: "vault", reason: [Sentence("recovery.noHome")]))
        }
    }

    private func addSales(to report: inout RecoveryReport) {
        guard let saleIndexes else {
            report.gaps.append(RecoveryGap(what: "sales", reason: [Sentence("recovery.noMarket")]))
            return
        }
        for index in saleIndexes.all {
            let refusal = SaleIndex.refusal(of: index.health, on: index.deployment.chain)
            guard let refusal else { continue }
            report.gaps.append(RecoveryGap(what: "sales", reason: refusal.reason ?? []))
        }
    }
}
