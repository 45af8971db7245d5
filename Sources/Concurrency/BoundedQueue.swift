import DequeModule
import Synchronization

/// A bounded queue between tasks; senders wait while it is full, and no element is lost.
///
/// A cancelled sender's element is not queued; a cancelled receiver takes nothing.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct Sender {
        let ticket: UInt64
        let element: Element
        let resumption: CheckedContinuation<Bool, Never>
    }

    private struct Receiver {
        let ticket: UInt64
        let resumption: CheckedContinuation<Element?, Never>
    }

    /// The result of handing in an element.
    private enum Outcome {
        case answered(Bool)
        case passed(Receiver)
        case waits
    }

    private struct State {
        var elements: Deque<Element> = []
        var senders: Deque<Sender> = []
        var receivers: Deque<Receiver> = []
        var isFinished = false
        var ticketsGiven: UInt64 = 0

        mutating func ticket() -> UInt64 {
            ticketsGiven += 1
            return ticketsGiven
        }
    }

    private let elementsMax: Int
    private let state = Mutex(State())

    /// Whether there is no room for another element now.
    package var isFull: Bool { state.withLock { $0.elements.count >= elementsMax } }

    package init(elementsMax: Int) {
        precondition(elementsMax > 0, "a queue of \(elementsMax) elements passes none on")
        self.elementsMax = elementsMax
    }

    /// Queues `element`, and waits for room if needed.
    ///
    /// - Returns: `false` if the queue was finished or this task cancelled before there was room.
    @discardableResult
    package func send(_ element: Element) async -> Bool {
        let ticket = state.withLock { $0.ticket() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { resumption in
                enqueue(Sender(ticket: ticket, element: element, resumption: resumption))
            }
        } onCancel: {
            let sender = state.withLock { state in
                state.senders.firstIndex { $0.ticket == ticket }.map {
                    state.senders.remove(at: $0)
                }
            }
            sender?.resumption.resume(returning: false)
        }
    }

    /// Queues `element` if there is room now.
    package func offer(_ element: Element) -> Bool {
        let outcome: Outcome = state.withLock { state in
            if state.isFinished { return .answered(false) }
            if let receiver = state.receivers.popFirst() { return .passed(receiver) }
            guard state.elements.count < elementsMax else { return .answered(false) }
            state.elements.append(element)
            return .answered(true)
        }
        switch outcome {
        case .answered(let isQueued): return isQueued
        case .waits: return false
        case .passed(let receiver):
            receiver.resumption.resume(returning: element)
            return true
        }
    }

    /// Takes the oldest element if there is one now, also from a finished queue.
    package func poll() -> Element? {
        let (element, sender): (Element?, Sender?) = state.withLock { state in
            guard let element = state.elements.popFirst() else { return (nil, nil) }
            let sender = state.senders.popFirst()
            if let sender { state.elements.append(sender.element) }
            return (element, sender)
        }
        sender?.resumption.resume(returning: true)
        return element
    }

    /// Waits for the oldest element; `nil` at the end, or if this task is cancelled.
    package func receive() async -> Element? {
        let ticket = state.withLock { $0.ticket() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { resumption in
                dequeue(for: Receiver(ticket: ticket, resumption: resumption))
            }
        } onCancel: {
            let receiver = state.withLock { state in
                state.receivers.firstIndex { $0.ticket == ticket }
                    .map { state.receivers.remove(at: $0) }
            }
            receiver?.resumption.resume(returning: nil)
        }
    }

    /// Finishes the queue: queued elements can still be taken, but none are added.
    package func finish() {
        let (senders, receivers) = state.withLock { state in
            state.isFinished = true
            defer { (state.senders, state.receivers) = ([], []) }
            return (state.senders, state.receivers)
        }
        for sender in senders { sender.resumption.resume(returning: false) }
        for receiver in receivers { receiver.resumption.resume(returning: nil) }
    }

    private func enqueue(_ sender: Sender) {
        let outcome: Outcome = state.withLock { state in
            if state.isFinished || Task.isCancelled { return .answered(false) }
            if let receiver = state.receivers.popFirst() { return .passed(receiver) }
            if state.elements.count < elementsMax {
                state.elements.append(sender.element)
                return .answered(true)
            }
            state.senders.append(sender)
            return .waits
        }
        switch outcome {
        case .answered(let isQueued): sender.resumption.resume(returning: isQueued)
        case .passed(let receiver):
            receiver.resumption.resume(returning: sender.element)
            sender.resumption.resume(returning: true)
        case .waits: break
        }
    }

    private func dequeue(for receiver: Receiver) {
        let (element, sender, waits): (Element?, Sender?, Bool) = state.withLock { state in
            if Task.isCancelled { return (nil, nil, false) }
            guard let element = state.elements.popFirst() else {
                if state.isFinished { return (nil, nil, false) }
                state.receivers.append(receiver)
                return (nil, nil, true)
            }
            let sender = state.senders.popFirst()
            if let sender { state.elements.append(sender.element) }
            return (element, sender, false)
        }
        sender?.resumption.resume(returning: true)
        if !waits { receiver.resumption.resume(returning: element) }
    }
}
