/// Tells which open request each message of a connection answers.
///
/// Pure. Many requests are open on one connection at a time, and their answers arrive in any order.
/// So each call is sent with an id that is unique on the connection, and its own id is restored in
/// the answer. An endpoint's mistakes about ids end the connection, because later answers could not
/// be matched.
///
/// Source: JSON-RPC 2.0, sections 4 to 6.
package struct RPCMultiplexer: Sendable {
    /// Names a request of this connection.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// The kind of an endpoint's message.
    package enum Message: Equatable, Sendable {
        /// The whole answer to an open request, with the request's own ids.
        case answer(Ticket, [UInt8])
        case notification
        /// The answer to a request that is no longer open.
        case late
        /// It breaks the protocol, so that the connection must end.
        case violation(String)
    }

    private struct Request {
        let firstID: UInt64
        /// The ids of the request's calls, as they were written.
        let ids: [[UInt8]]
    }

    /// The maximum number of consecutive answers that match no open request.
    package static let straysMax = 1_000

    private let requestsMax: Int
    private let callsMax: Int
    private var requests: [Ticket: Request] = [:]
    /// The ticket of each call that is open, by the call's id.
    private var tickets: [UInt64: Ticket] = [:]
    private var nextID: UInt64 = 1
    private var strays = 0

    /// Creates a multiplexer for at most `requestsMax` open requests of at most `callsMax` calls.
    package init(requestsMax: Int, callsMax: Int) {
        (self.requestsMax, self.callsMax) = (requestsMax, callsMax)
    }

    package var openCount: Int { requests.count }

    /// Opens a request.
    ///
    /// - Returns: Its ticket and the bytes to send; `nil` if it is not JSON-RPC with an id for each
    ///   call, or there are too many.
    package mutating func open(_ body: [UInt8]) -> (ticket: Ticket, bytes: [UInt8])? {
        guard requests.count < requestsMax, let outline = RPCEnvelope(of: body, partsMax: callsMax)
        else { return nil }
        let ranges = outline.parts.compactMap(\.id)
        guard !ranges.isEmpty, ranges.count == outline.parts.count else { return nil }
        let ticket = Ticket(number: nextID)
        let request = Request(firstID: nextID, ids: ranges.map { Array(body[$0]) })
        nextID += UInt64(ranges.count)
        requests[ticket] = request
        for id in request.firstID..<nextID { tickets[id] = ticket }
        let ids = (request.firstID..<nextID).map { Array(String($0).utf8) }
        return (ticket, Self.replacing(ranges, in: body, by: ids))
    }

    /// Reads a message of the endpoint.
    package mutating func receive(_ message: [UInt8]) -> Message {
        guard let outline = RPCEnvelope(of: message, partsMax: callsMax) else {
            return .violation("a message that is not JSON-RPC")
        }
        if !outline.isBatch, outline.parts[0].hasMethod, outline.parts[0].id == nil {
            return .notification
        }
        let numbers = outline.parts.map { Self.number($0.id, in: message) }
        guard numbers.contains(where: { $0 != nil }) else {
            // Some endpoints refuse without saying which request, most often a batch.
            let batches = requests.filter { $0.value.ids.count > 1 }
            let possible = batches.isEmpty ? requests : batches
            guard possible.count == 1, let ticket = possible.keys.first else {
                return .violation("an answer without the id of a request")
            }
            close(ticket)
            return .answer(ticket, message)
        }
        let known = numbers.first { $0.map { tickets[$0] != nil } ?? false }
        guard let ticket = known.flatMap({ $0 }).flatMap({ tickets[$0] }),
            let request = requests[ticket]
        else {
            strays += 1
            guard numbers.allSatisfy({ $0.map { $0 < nextID } ?? false }),
                strays <= Self.straysMax
            else { return .violation("answers to requests that were never made") }
            return .late
        }
        strays = 0
        close(ticket)
        let ids = numbers.map { number -> [UInt8] in
            guard let number, number >= request.firstID,
                number - request.firstID < UInt64(request.ids.count)
            else { return Array("-1".utf8) }
            return request.ids[Int(number - request.firstID)]
        }
        let written = zip(outline.parts, ids).compactMap { part, id in part.id.map { ($0, id) } }
        return .answer(ticket, Self.replacing(written.map(\.0), in: message, by: written.map(\.1)))
    }

    /// Closes a request whose caller no longer waits for the answer.
    package mutating func close(_ ticket: Ticket) {
        guard let request = requests.removeValue(forKey: ticket) else { return }
        for index in request.ids.indices { tickets[request.firstID + UInt64(index)] = nil }
    }

    private static func number(_ range: Range<Int>?, in bytes: [UInt8]) -> UInt64? {
        guard let range, range.count <= 20 else { return nil }
        return UInt64(String(decoding: bytes[range], as: UTF8.self))
    }

    private static func replacing(
        _ ranges: [Range<Int>],
        in bytes: [UInt8],
        by texts: [[UInt8]]
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 8 * ranges.count)
        var place = 0
        for (range, text) in zip(ranges, texts) {
            result += bytes[place..<range.lowerBound]
            result += text
            place = range.upperBound
        }
        result += bytes[place...]
        return result
    }
}
