import Answers
import Client
import Concurrency
import Foundation
import Keys

extension Cluster {
    /// Returns the cluster with `count` nodes, and writes its new plan.
    ///
    /// Nodes that it loses are stopped. Their folders stay, and are used again if the cluster
    /// grows.
    func resized(to count: Int) async throws -> Cluster {
        let missing = count - plan.members.count
        guard missing != 0 else { return self }
        for member in plan.members.dropFirst(count).reversed() { try await stop(member.number) }
        let taken = Set(plan.members.flatMap { [$0.listenPort, $0.apiPort, $0.healthPort] })
        let ports = try await FreePorts.find(3 * max(missing, 0), besides: taken)
        let added = Self.members(max(missing, 0), after: plan.members.count, in: folder, on: ports)
        let members = Array(plan.members.prefix(count)) + added
        let changed = Cluster(self, plan: ClusterPlan(chain: plan.chain, members: members))
        try ClusterFile.write(try JSONEncoder().encode(changed.plan), to: Self.planFile(folder))
        return changed
    }

    /// Returns the address of an account; finds a name on any node that runs.
    func address(of account: String) async throws -> String {
        if (try? Address(text: account)) != nil { return account }
        var found: Set<String> = []
        for member in plan.members where try !find(member).isEmpty {
            let accounts = try await ask(member) { try await $0.accounts() }
            for one in accounts where one.name.folded == account.folded {
                found.insert(one.address)
            }
        }
        guard let address = found.first else { throw ClusterError.badAddress(account) }
        guard found.count == 1 else {
            throw ClusterError.ambiguousName(account, addresses: found.sorted())
        }
        return address
    }

    /// Waits until the chain makes a block without being asked.
    ///
    /// - Throws: ``ClusterError/noBlocks(endpoint:patience:)`` if none arrives.
    func requireBlocks(
        within patience: Duration,
        tell: @Sendable (String) -> Void
    ) async throws {
        let chain = DevChainCall(endpoint: plan.chain.endpoint)
        let first = try await chain.head()
        tell("waiting for a block of chain \(plan.chain.id)")
        let deadline = Deadline(after: patience, on: .system)
        while try await chain.head() == first {
            guard !deadline.hasPassed else {
                throw ClusterError.noBlocks(endpoint: plan.chain.endpoint, patience: patience)
            }
            try await SystemMonotonicClock().wait(.milliseconds(100))
        }
    }
}
