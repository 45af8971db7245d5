import Foundation
import Keys
import Market

@testable import Ethereum

// What endpoints of a chain answer. Contracts is imported as testable, because only its clients
// read answers.

extension FuzzTarget {
    /// An item, or a signed transaction.
    static let rlp = FuzzTarget("rlp", byteCountMax: 1_024) { bytes in
        let item = try? RLP.decode(bytes)
        if let item { try hold(RLP.encode(item) == bytes, "an item has one encoding") }
        let transaction = try? SignedTransaction.decode(bytes)
        if let transaction {
            try hold(transaction.encoded == bytes, "a transaction has one encoding")
        }
        return item != nil || transaction != nil
    }

    /// The number of a form in ``ABIForm``, then data of this form.
    static let abi = FuzzTarget("abi", byteCountMax: 2_048) { bytes in
        guard let number = bytes.first else { return false }
        let data = Array(bytes.dropFirst())
        let forms = ABIForm.all
        return try forms[Int(number) % forms.count].takes(data)
    }

    /// An answer of an endpoint, to each call that a node makes.
    static let answer = FuzzTarget("answer") { bytes in
        let answers = FuzzAnswers(bytes)
        var isTaken = false
        isTaken = try answers.takes(.chainID) || isTaken
        isTaken = try answers.takes(.call(CallRequest(to: nil, data: []))) || isTaken
        isTaken = try answers.takes(.block(.latest)) || isTaken
        isTaken = try answers.takes(.transfers(in: 1)) || isTaken
        isTaken = try answers.takes(.receipt(of: .zero)) || isTaken
        isTaken = try answers.takes(.feeHistory(blocks: 1, percentiles: [50])) || isTaken
        isTaken = try answers.takesLogs() || isTaken
        isTaken = try answers.takesBatch() || isTaken
        isTaken = answers.takesNotification() || isTaken
        try answers.checkEnvelope()
        return isTaken
    }
}

/// What a node makes of one message of an endpoint.
private struct FuzzAnswers {
    private static let codec = RPCCodec(endpoint: EndpointName("fuzz"), secrets: ["secret"])

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads it as the answer to a call.
    func takes<Answer>(_ call: RPCCall<Answer>) throws -> Bool {
        do {
            _ = try Self.codec.answer(to: call, bytes)
            return true
        } catch {
            guard case .refused(_, let refusal) = error else { return false }
            try Self.check(refusal)
            return true
        }
    }

    /// Reads it as events, which the quick reader must read like the decoder.
    func takesLogs() throws -> Bool {
        let quick = PlainLogs.events(in: bytes)
        let call = RPCCall<[ContractEvent]>("eth_getLogs")
        if let quick {
            let slow = try? Self.codec.answer(to: call, bytes)
            try hold(slow == quick, "the quick reader reads events like the decoder")
        }
        return try takes(call)
    }

    /// Reads it as the answer to two calls at once.
    func takesBatch() throws -> Bool {
        do {
            let answers = try Self.codec.answers(to: [.chainID, .gasPrice], bytes)
            try hold(answers.count == 2, "each call has an answer")
            return true
        } catch let fault as FuzzFault {
            throw fault
        } catch {
            guard let refused = error as? BatchRefused else { return false }
            try Self.check(refused.refusal)
            return true
        }
    }

    func takesNotification() -> Bool {
        HeadNotification(bytes) != nil || HeadNotification.subscription(in: bytes) != nil
    }

    /// Reads it on a connection with two open requests.
    func checkEnvelope() throws {
        var open = RPCMultiplexer(requestsMax: 2, callsMax: 4)
        let first = open.open(try Self.codec.request(RPCCall.chainID))
        _ = open.open(try Self.codec.request([RPCCall.chainID, .gasPrice]))
        guard case .answer(let ticket, let answer) = open.receive(bytes) else { return }
        try hold(open.openCount == 1, "an answer ends one request")
        guard let outline = RPCEnvelope(of: answer, partsMax: 4) else {
            throw FuzzFault(description: "an answer with its own ids is no answer")
        }
        // A single call is sent with the id that the codec gives it.
        guard ticket == first?.ticket, !outline.isBatch, let id = outline.parts[0].id else {
            return
        }
        try hold(answer[id].elementsEqual("0".utf8), "a request's own id is put back")
    }

    private static func check(_ refusal: RPCRefusal) throws {
        try holdSafe(refusal.message, charactersMax: UntrustedText.charactersMax)
        try holdSafe(refusal.detail, charactersMax: UntrustedText.charactersMax)
        try hold(!refusal.words.contains("secret"), "a refusal repeats no secret")
        _ = (refusal.isEndpointsFault, refusal.isTooMuch, refusal.isOfNamedBlock, refusal.saysWhat)
        _ = RevertReason(data: refusal.revertData ?? [])
    }
}

/// Throws unless a text of a stranger can be shown on one line.
func holdSafe(_ text: String, charactersMax: Int) throws(FuzzFault) {
    let scalars = text.unicodeScalars
    try hold(scalars.count <= charactersMax + 1, "a shown text is not too long")
    try hold(!scalars.contains(where: UntrustedText.isUnsafe), "a shown text changes no other")
}
