import Client
import Foundation

extension Client.Operation {
    /// Takes over the state of a phase.
    ///
    /// The first one shows the maximum fee until it is done, unless there is something else to
    /// show.
    mutating func note(_ phase: Phase, at time: Date) {
        guard let place = phases.firstIndex(where: { $0.name == phase.name }) else { return }
        // The old detail no longer applies once the phase is done, or waits again.
        let isOver = [.done, .waiting].contains(phase.state) && phases[place].state != phase.state
        if phase.detail != nil || isOver || phase.name != .estimate {
            (phases[place].detail, phases[place].notes) = (phase.detail, phase.notes)
        }
        guard phases[place].state != phase.state else { return }
        phases[place].state = phase.state
        phases[place].endedAt = phase.state == .done || phase.state == .failed ? time : nil
    }

    /// Ends it and the phases under way, well or with a problem.
    mutating func end(with problem: Problem?, at time: Date) {
        state = problem == nil ? .done : .failed
        (self.problem, endedAt) = (problem, time)
        for place in phases.indices where phases[place].state == .running {
            phases[place].state = problem == nil ? .done : .failed
            phases[place].endedAt = time
            if problem == nil { (phases[place].detail, phases[place].notes) = (nil, nil) }
        }
    }
}
