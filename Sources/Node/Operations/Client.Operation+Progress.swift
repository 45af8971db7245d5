import Client
import Foundation

extension Client.Operation {
    /// Takes over how a phase stands; a detail stays if the phase comes with none, until it is done.
    mutating func note(_ phase: Phase, at time: Date) {
        guard let place = phases.firstIndex(where: { $0.name == phase.name }) else { return }
        // What it waited for is over once it is done.
        let isDoneNow = phase.state == .done && phases[place].state != .done
        if phase.detail != nil || isDoneNow { phases[place].detail = phase.detail }
        guard phases[place].state != phase.state else { return }
        phases[place].state = phase.state
        if phase.state == .done || phase.state == .failed { phases[place].endedAt = time }
    }

    /// Ends it and the phases under way, well or with a problem.
    mutating func end(with problem: Problem?, at time: Date) {
        state = problem == nil ? .done : .failed
        self.problem = problem
        for place in phases.indices where phases[place].state == .running {
            phases[place].state = problem == nil ? .done : .failed
            phases[place].endedAt = time
            if problem == nil { phases[place].detail = nil }
        }
    }
}
