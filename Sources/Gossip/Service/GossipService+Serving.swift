import Concurrency
import GossipProtocol
import Logging
import Market

/// The answering side of exchanges of missing records.
extension GossipService {
    /// Answers a peer's questions until it closes the stream or is too slow to ask the next one.
    @concurrent
    nonisolated func serveRecords(_ stream: any PeerStream) async throws {
        let peer = stream.remotePeer
        try await streams.servings.with(peer) {
            let link = await links.link(to: peer)
            let group = link.flatMap { AddressGroup(of: $0.address) }
            let origin = RecordOrigin(peer, at: link?.address)
            var serving = RecordServing(limits: settings.exchange)
            var questions = stream.messages(bytesMax: settings.exchange.questionBytesMax)
            do {
                while let bytes = try await questions.next(within: settings.answerMax) {
                    // A peer asks one question at a time, so no other may follow while one waits.
                    let hasWaited = try await questionPace.wait(for: peer, of: group)
                    if hasWaited, questions.hasMore { offences.note(.tooManyQuestions, by: peer) }
                    guard
                        let question = RecordQuestion(decoding: bytes, limits: settings.exchange)
                    else { throw LinkError.malformedLength }
                    uses.note(peer)
                    try await answer(question, over: stream, of: group, origin, &serving)
                }
            } catch let error as LinkError where error.isOfPeersFrames {
                offences.note(PeerOffence(.malformed), by: peer)
                throw error
            }
        }
    }

    private nonisolated func answer(
        _ question: RecordQuestion,
        over stream: any PeerStream,
        of group: AddressGroup?,
        _ origin: RecordOrigin,
        _ serving: inout RecordServing
    ) async throws {
        let cost = question.cost(limits: settings.exchange)
        // Held until the answer is written.
        var room: (any Sendable)?
        defer { withExtendedLifetime(room) {} }
        let isServed = source.serves(question.topic)
        var directives = serving.handle(.received(question, isServed: isServed))
        while let directive = directives.first {
            switch directive {
            case .list(let topic, let after, let countMax):
                let ids = try await answers.turn(costing: cost, of: origin) {
                    try await source.ids(on: topic, after: after, countMax: countMax)
                }
                directives = serving.handle(.listed(ids))
            case .load(let topic, let ids, let bytesMax):
                // Before its turn: a peer that does not read must not delay the others.
                room = try await stream.room(for: bytesMax)
                let records = try await answers.turn(costing: cost, of: origin) {
                    try await source.records(ids, on: topic, bytesMax: bytesMax)
                }
                directives = serving.handle(.loaded(records))
            case .answer(let answer):
                if answer.unheld > 0 { try charge(answer.unheld, to: stream.remotePeer, of: group) }
                do {
                    return try await stream.writeMessage(
                        answer.encoded(),
                        within: settings.writeMax
                    )
                } catch LinkError.timedOut {
                    offences.note(.slowReader, by: stream.remotePeer)
                    throw LinkError.timedOut
                }
            case .stop(let offence):
                offences.note(PeerOffence(offence), by: stream.remotePeer)
                throw LinkError.streamReset
            }
        }
    }

    /// Counts wanted ids that are not stored here; ends the exchange if they are too many.
    private nonisolated func charge(
        _ unheld: Int,
        to peer: PeerID,
        of group: AddressGroup?
    ) throws {
        switch questionPace.takeUnheld(unheld, by: peer, of: group) {
        case .granted: return
        case .overdrawn: offences.note(PeerOffence(ExchangeOffence.unheld), by: peer)
        case .crowdedOut: break
        }
        throw LinkError.streamReset
    }
}
