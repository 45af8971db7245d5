import Client
import Texts

/// Turns the states of an operation into lines of text, each returned once.
///
/// An operation of several transactions has one line for each that has ended; the one that is
/// waited for is in ``waiting``.
struct PhaseLines {
    /// The codes of notes on a transaction that only takes its time.
    private static let usual: Set = [
        "progress.place", "progress.confirmations", "progress.readingBlock",
    ]

    /// The transaction that is waited for, if the operation has several; empty for none.
    private(set) var waiting = ""
    private var told: [Client.Operation.Phase.Name: Client.Operation.Phase] = [:]
    private var state: Client.Operation.State?
    /// The number of transactions, if there are several.
    private var count: Int?
    /// How many of them have ended.
    private var endedCount = 0
    /// Why transactions had to wait.
    private var reasons: Set<String> = []

    init() {}

    mutating func news(of operation: Client.Operation) -> [String] {
        var lines = waits(of: operation) + transactions(of: operation)
        for phase in operation.phases where phase.state != .waiting {
            let before = told[phase.name]
            guard before?.state != phase.state || before?.detail != phase.detail else { continue }
            told[phase.name] = phase
            // Of several transactions each goes through these phases.
            guard count == nil || phase.state == .failed || phase.state == .done && !phase.isOnChain
            else { continue }
            let name = DisplayWidth.pad(phase.name.words(in: "step"), to: 10)
            let state = DisplayWidth.pad(phase.state.words(in: "stepState"), to: 8)
            // A detail of the running phase, such as `2 of 3`, would mislead once it is done.
            let isOld = phase.state == .done && before?.detail == phase.detail
            let line = "  \(name) \(state) \(isOld ? "" : phase.detail ?? "")"
            lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        }
        return lines
    }

    private mutating func waits(of operation: Client.Operation) -> [String] {
        defer { state = operation.state }
        guard operation.state != state else { return [] }
        switch operation.state {
        case .needsUnlock:
            return ["  waiting until the account is signed in: stoa account sign-in"]
        case .needsSignature:
            return ["  waiting for the signature of your wallet: stoa signature list"]
        default: return []
        }
    }

    /// Returns a line for each of several transactions that has ended, and for each reason to wait.
    private mutating func transactions(of operation: Client.Operation) -> [String] {
        let running = operation.phases.first { $0.state == .running && $0.isOnChain }
        let place = running?.notes?.first { $0.code == "progress.place" }
        if let number = place?.values["count"].flatMap({ Int($0) }) { count = number }
        guard let count else { return [] }
        let isOver = operation.phases.filter(\.isOnChain).allSatisfy { $0.state == .done }
        let before = (place?.values["place"].flatMap { Int($0) } ?? 1) - 1
        let ended = max(endedCount, isOver ? count : before)
        defer { endedCount = ended }
        var lines = (endedCount..<ended).map { "  \(Self.words($0 + 1, of: count))  done" }
        waiting = ""
        guard let running, let place else { return lines }
        waiting = "\(place.detail): \(running.name.words(in: "step"))"
        for note in running.notes ?? [] where !Self.usual.contains(note.code) {
            let line = "  \(place.detail): \(note.detail)"
            if reasons.insert(line).inserted { lines.append(line) }
        }
        return lines
    }

    private static func words(_ place: Int, of count: Int) -> String {
        SentencePatterns.english.text(
            "progress.place",
            ["place": "\(place)", "count": "\(count)"]
        )
    }
}

extension Client.Operation.Phase {
    /// Whether each transaction of an operation goes through it.
    fileprivate var isOnChain: Bool {
        switch name {
        case .estimate, .signed, .sent, .mined, .confirmed: true
        case .published, .told, .other: false
        }
    }
}
