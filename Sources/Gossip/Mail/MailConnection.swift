import GossipProtocol
import Keys
import Market

/// A connection for questions to one home, over a stream or within this node.
struct MailConnection {
    private enum Route {
        case stream(any PeerStream, MessageReader)
        /// This node is the home.
        case here(MailExchange.Asking)
    }

    let home: PeerID
    private let exchange: MailExchange
    private var way: Route

    /// Opens a connection to a linked home.
    init(
        to home: PeerID,
        over exchange: MailExchange,
        protocol name: String = MailExchange.protocolID
    ) async throws {
        self.home = home
        self.exchange = exchange
        if home == exchange.localPeer {
            way = .here(
                MailExchange.Asking(
                    mailServer: exchange.mailServer(),
                    peer: home,
                    origin: MailOrigin.name(of: home)
                )
            )
        } else {
            let stream = try await exchange.links.open(protocols: [name], to: home)
            let bytesMax = exchange.settings.limits.answerBytesMax
            way = .stream(stream, stream.messages(bytesMax: bytesMax))
        }
    }

    /// Asks a question and waits for the answer.
    ///
    /// - Throws: ``MailRefusal``, ``LinkError``, ``MailFrameFault``.
    mutating func ask(_ question: MailQuestion) async throws -> MailAnswer {
        let limits = exchange.settings.limits
        let answer: MailAnswer
        switch way {
        case .here(var asking):
            answer = await exchange.answer(question, &asking)
            way = .here(asking)
        case .stream(let stream, var frames):
            exchange.pacer.count(question, to: home)
            try await stream.writeMessage(question.bytes, within: limits.exchangeMax)
            guard let frame = try await frames.next(within: limits.exchangeMax) else {
                throw LinkError.cutOff
            }
            answer = try MailAnswer(frame, limits: limits)
            if answer.isOfUse { await exchange.noteUse(home) }
            if case .refused(.tooOften) = answer { exchange.pacer.refused(by: home) }
            way = .stream(stream, frames)
        }
        if case .refused(let refusal) = answer { throw refusal }
        return answer
    }

    func end() async {
        guard case .stream(let stream, _) = way else { return }
        // All answers have arrived; if the home is gone, the close is unnecessary.
        try? await stream.closeWrite()
    }
}

/// A home's answer that does not match the question.
package enum MailAnswerFault: Error, Equatable, Sendable {
    /// The answer is of another kind than the question.
    case otherKind
    /// The home's signature is wrong.
    case notSignedByHome
    /// The lease ends so soon that it would have to be renewed all the time.
    case leaseTooShort
}
