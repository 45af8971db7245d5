package import Ethereum
import Foundation
import Keys
import Synchronization

/// Stands between the node and one endpoint, and does what an endpoint should not.
///
/// What it does to which request follows from the seed and the number of the request.
package final class FaultyProxy: RPCTransport {
    /// What goes wrong.
    package enum Fault: CaseIterable, Sendable {
        /// The answer comes after others, or never; what was asked may have been done.
        case late, lost
        /// The request is carried out twice.
        case doubled
        case busy, broken, cut, oversized, foreignID
        case otherChain, oldHead, farHead
        case inventedLog, missingLogs
        case lostReceipt, failedReceipt, movedReceipt
        case otherNonce
    }

    private struct State {
        var random: SeededRandom
        var isFaulty = true
        var counts: [Fault: Int] = [:]
        var lie: ContractEvent?
    }

    private let inner: any RPCTransport
    private let name: EndpointName
    private let faults: [Fault]
    private let state: Mutex<State>

    /// Creates a proxy for the endpoint of that name; of all requests, a third goes wrong.
    package init(
        inner: any RPCTransport,
        faulty name: EndpointName,
        faults: [Fault] = Fault.allCases,
        seed: UInt64
    ) {
        (self.inner, self.name, self.faults) = (inner, name, faults)
        state = Mutex(State(random: SeededRandom(seed: seed)))
    }

    /// What went wrong so far, and how often.
    package var counts: [Fault: Int] { state.withLock { $0.counts } }

    /// Chooses the log that is invented in its block.
    package func invent(_ event: ContractEvent) { state.withLock { $0.lie = event } }

    /// Ends all faults.
    package func heal() { state.withLock { $0.isFaulty = false } }

    package func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8] {
        func ask(_ body: [UInt8]) async throws -> String {
            let answer = try await inner.post(
                body,
                to: endpoint,
                bytesMax: bytesMax,
                timeout: timeout
            )
            return String(decoding: answer, as: UTF8.self)
        }
        let request = String(decoding: body, as: UTF8.self)
        guard endpoint.name == name, let fault = fault(for: request) else {
            return [UInt8](try await ask(body).utf8)
        }
        if fault == .busy { throw RPCTransportError.busy(status: 429, retryAfter: .zero) }
        if fault == .doubled { _ = try await ask(body) }
        let honest = try await ask(body)
        switch fault {
        case .late: for _ in 0..<50 { await Task.yield() }
        case .lost: throw RPCTransportError.timedOut
        case .broken: throw RPCTransportError.status(502)
        case .oversized: throw RPCTransportError.oversized
        case .oldHead:
            guard let old = Self.older(request, honest) else { break }
            return [UInt8](try await ask([UInt8](old.utf8)).utf8)
        default: break
        }
        return [UInt8](altered(request, honest, fault).utf8)
    }

    package func subscribe(
        _ body: [UInt8],
        to endpoint: Endpoint,
        timeout: Duration
    ) async throws -> (answer: [UInt8], heads: HeadSubscription)? {
        try await inner.subscribe(body, to: endpoint, timeout: timeout)
    }

    /// Chooses what goes wrong with a request; `nil` if nothing does.
    private func fault(for request: String) -> Fault? {
        state.withLock { state in
            let possible = faults.filter { $0.concerns(request) }
            guard state.isFaulty, UInt64.random(in: 0..<3, using: &state.random) == 0,
                let fault = possible.randomElement(using: &state.random)
            else { return nil }
            state.counts[fault, default: 0] += 1
            return fault
        }
    }

    private func altered(_ request: String, _ honest: String, _ fault: Fault) -> String {
        switch fault {
        case .cut: String(honest.prefix(honest.count / 2))
        case .foreignID: honest.replacing(/"id": ?\d+/, with: #""id": 77"#)
        case .otherChain: honest.replacing(/"result": ?"0x[0-9a-f]+"/, with: #""result": "0x1""#)
        case .farHead: honest.replacing(/"number": ?"0x[0-9a-f]+"/, with: #""number": "0xf4240""#)
        case .inventedLog: state.withLock { $0.lie }?.invented(in: request, honest) ?? honest
        case .missingLogs: honest.replacing(/"result": ?\[.*\]/, with: #""result": []"#)
        case .lostReceipt:
            honest.replacing(/"result": ?\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/, with: #""result": null"#)
        case .failedReceipt: honest.replacing(/"status": ?"0x1"/, with: #""status": "0x0""#)
        case .movedReceipt:
            honest.replacing(
                /"blockHash": ?"0x[0-9a-f]{64}"/,
                with: #""blockHash": "\#(Bytes32(repeating: 5).hex)""#
            )
        case .otherNonce: honest.replacing(/"result": ?"0x[0-9a-f]+"/, with: #""result": "0x63""#)
        case .late, .lost, .doubled, .busy, .broken, .oversized, .oldHead: honest
        }
    }

    /// Returns the request for a block some way below the newest one.
    private static func older(_ request: String, _ honest: String) -> String? {
        guard let digits = honest.firstMatch(of: /"number": ?"0x([0-9a-f]+)"/)?.output.1,
            let number = UInt64(digits, radix: 16)
        else { return nil }
        let old = String(number - min(number, 2), radix: 16)
        return request.replacing(#""latest""#, with: "\"0x\(old)\"")
    }
}

extension FaultyProxy.Fault {
    /// Whether the fault can happen to a request.
    fileprivate func concerns(_ request: String) -> Bool {
        switch self {
        case .late, .lost, .busy, .broken, .cut, .oversized, .foreignID: true
        case .doubled: request.contains("eth_sendRawTransaction")
        case .otherChain: request.contains("eth_chainId")
        case .oldHead, .farHead:
            request.contains("eth_getBlockByNumber") && request.contains(#""latest""#)
        case .inventedLog, .missingLogs: request.contains("eth_getLogs")
        case .lostReceipt, .failedReceipt, .movedReceipt:
            request.contains("eth_getTransactionReceipt")
        case .otherNonce: request.contains("eth_getTransactionCount")
        }
    }
}
