import Client
import Foundation
import Testing

@testable import CLI

/// The lines that a command prints while it waits for an operation.
struct PhaseLinesTests {
    @Test func `shows each phase of each step once`() {
        var lines = PhaseLines()
        var operation = Client.Operation(
            id: "1",
            kind: .buy,
            state: .running,
            account: "0x1",
            subject: nil,
            phases: [
                .init(name: .signed, state: .running), .init(name: .mined, state: .waiting),
            ],
            problem: nil,
            createdAt: Date(timeIntervalSince1970: 0)
        )
        #expect(lines.news(of: operation) == ["  signed     running"])
        #expect(lines.news(of: operation).isEmpty)
        operation.phases[0].state = .done
        operation.phases[1] = .init(name: .mined, state: .running, detail: "1 of 3")
        #expect(
            lines.news(of: operation) == ["  signed     done", "  mined      running  1 of 3"]
        )
        operation.phases[1].state = .done
        #expect(lines.news(of: operation) == ["  mined      done"])
    }

    @Test func `several transactions have a line each, once it has ended`() {
        typealias Phase = Client.Operation.Phase
        func phases(_ current: Phase.Name, _ notes: Sentence...) -> [Phase] {
            let names: [Phase.Name] = [.estimate, .signed, .sent, .mined, .confirmed]
            let place = names.firstIndex(of: current) ?? 0
            return names.enumerated().map { index, name in
                guard index == place else {
                    return Phase(name: name, state: index < place ? .done : .waiting)
                }
                return Phase(name: name, state: .running, notes: notes)
            } + [Phase(name: .published, state: .waiting)]
        }
        func place(_ number: Int) -> Sentence {
            Sentence("progress.place", ["place": "\(number)", "count": "3"])
        }
        var operation = Client.Operation(
            id: "1",
            kind: .list,
            state: .running,
            account: "0x1",
            subject: nil,
            phases: phases(.signed, place(1)),
            problem: nil,
            createdAt: Date(timeIntervalSince1970: 0)
        )
        var lines = PhaseLines()
        #expect(lines.news(of: operation).isEmpty && lines.waiting == "transaction 1 of 3: signed")
        let count = Sentence("progress.confirmations", ["count": "1", "needed": "3"])
        operation.phases = phases(.confirmed, place(1), count)
        #expect(lines.news(of: operation).isEmpty)
        operation.phases = phases(.estimate, place(2), Sentence("progress.gasDiffers"))
        let reason = Sentence("progress.gasDiffers").detail
        #expect(
            lines.news(of: operation) == [
                "  transaction 1 of 3  done", "  transaction 2 of 3: " + reason,
            ]
        )
        #expect(lines.news(of: operation).isEmpty)
        operation.phases = phases(.mined, place(3))
        #expect(lines.news(of: operation) == ["  transaction 2 of 3  done"])
        #expect(lines.waiting == "transaction 3 of 3: mined")
        operation.phases = operation.phases.map { Phase(name: $0.name, state: .done) }
        #expect(
            lines.news(of: operation) == ["  transaction 3 of 3  done", "  published  done"]
        )
        #expect(lines.waiting.isEmpty)
    }

    @Test func `a failed one of several transactions says why`() {
        let place = Sentence("progress.place", ["place": "2", "count": "3"])
        var operation = Client.Operation(
            id: "1",
            kind: .list,
            state: .running,
            account: "0x1",
            subject: nil,
            phases: [.init(name: .mined, state: .running, notes: [place])],
            problem: nil,
            createdAt: Date(timeIntervalSince1970: 0)
        )
        var lines = PhaseLines()
        #expect(lines.news(of: operation) == ["  transaction 1 of 3  done"])
        let reason = Sentence("refusal.reverted")
        operation.phases = [.init(name: .mined, state: .failed, notes: [place, reason])]
        #expect(
            lines.news(of: operation) == [
                "  mined      failed   transaction 2 of 3; " + reason.detail
            ]
        )
    }
}
