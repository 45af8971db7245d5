package import Client
import Concurrency
import Foundation
import Setup

/// The state of a cluster's nodes.
package struct ClusterReport: Codable, Hashable, Sendable {
    /// One node.
    package struct Member: Codable, Hashable, Sendable {
        package let number: Int
        package let api: String
        package let data: String
        package let log: String
        /// `nil` while it does not run.
        package let process: Int32?
        /// `nil` while it does not answer.
        package let status: NodeStatus?
        /// The address that peers dial.
        package let address: String?
    }

    package let endpoint: String
    package let chain: UInt64
    package let isChainUp: Bool
    package let members: [Member]
}

extension Cluster {
    /// Returns the state of the chain and of every node.
    package func report() async -> ClusterReport {
        var members: [ClusterReport.Member] = []
        for member in plan.members {
            let process = DetachedProcess.find(endingWith: member.arguments).first?.number
            members.append(
                ClusterReport.Member(
                    number: member.number,
                    api: member.api,
                    data: member.folder,
                    log: member.log,
                    process: process,
                    status: process == nil ? nil : try? await status(of: member),
                    address: try? member.multiaddr()
                )
            )
        }
        return ClusterReport(
            endpoint: plan.chain.endpoint,
            chain: plan.chain.id,
            isChainUp: await DevChainCall(endpoint: plan.chain.endpoint).isUp(),
            members: members
        )
    }

    /// Waits until a running node's status fulfils a condition.
    ///
    /// - Throws: ``ClusterError/ended(name:log:tail:)`` if its process ends, and
    ///   ``ClusterError/notReady(name:reason:log:)`` if it takes too long.
    func wait(
        for member: ClusterPlan.Member,
        until wish: String,
        _ isFulfilled: (NodeStatus) -> Bool
    ) async throws {
        let name = "Node \(member.number)"
        let deadline = Deadline(after: .seconds(90), on: .system)
        var last = "it does not answer"
        while !deadline.hasPassed {
            do {
                let status = try await status(of: member)
                if isFulfilled(status) { return }
                let chain = status.chains.map { "\($0.health) \($0.detail ?? "")" }
                last = "waiting until \(wish); chain \(chain.joined()), \(status.peers) peers"
            } catch let error as ClientError {
                last = "\(error)"
            } catch let problem as Problem {
                last = problem.detail
            }
            guard try !find(member).isEmpty else {
                let tail = ClusterFile.tail(member.log)
                throw ClusterError.ended(name: name, log: member.log, tail: tail)
            }
            try await SystemMonotonicClock().wait(.milliseconds(100))
        }
        throw ClusterError.notReady(name: name, reason: last, log: member.log)
    }

    private func status(of member: ClusterPlan.Member) async throws -> NodeStatus {
        try await ask(member) { try await $0.status() }
    }

    /// Calls a node as its operator, once.
    func ask<Answer: Sendable>(
        _ member: ClusterPlan.Member,
        _ question: (StoaClient) async throws -> Answer
    ) async throws -> Answer {
        var limits = ClientLimits()
        limits.tries = 1
        limits.answerTimeout = .seconds(10)
        let token = try DataFolder(path: member.folder).operatorToken()
        let node = NodeAddress(host: "127.0.0.1", port: member.apiPort)
        return try await StoaClient.scoped(node, token: token, limits: limits, question)
    }
}
