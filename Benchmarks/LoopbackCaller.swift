import Foundation
import Glibc

/// Calls one port of this machine over one connection that stays open, and waits for each answer.
///
/// Without a library's pools and threads, so that what is measured is the node's.
final class LoopbackCaller {
    /// What came back.
    struct Answer {
        let status: Int
        let body: Data

        func read<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            guard (200..<300).contains(status) else {
                throw BenchmarkFault.refused(status, String(decoding: body, as: UTF8.self))
            }
            return try JSONDecoder().decode(Value.self, from: body)
        }
    }

    private static let end = Data("\r\n\r\n".utf8)

    private let port: UInt16
    private let token: String?
    private var descriptor: Int32 = -1

    /// - Parameters:
    ///   - port: On 127.0.0.1.
    ///   - token: Sent along with each call.
    init(port: UInt16, token: String? = nil) {
        (self.port, self.token) = (port, token)
    }

    deinit { close() }

    /// - Throws: ``BenchmarkFault/unreachable(port:)`` where nobody listens or answers.
    func call(
        _ method: String,
        _ path: String,
        body: (some Encodable)? = String?.none,
        key: String? = nil
    ) throws -> Answer {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        if let key { head += "Idempotency-Key: \(key)\r\n" }
        let bytes = try body.map { try JSONEncoder().encode($0) } ?? Data()
        head += "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n\r\n"
        if descriptor < 0 { try open() }
        do {
            try send(Data(head.utf8) + bytes)
            return try receive()
        } catch {
            close()
            throw error
        }
    }

    private func open() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, length)
            }
        }
        guard result == 0 else {
            close()
            throw BenchmarkFault.unreachable(port: port)
        }
    }

    private func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    private func send(_ bytes: Data) throws {
        let sent = unsafe bytes.withUnsafeBytes { memory in
            unsafe Glibc.send(descriptor, memory.baseAddress, memory.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw BenchmarkFault.unreachable(port: port) }
    }

    /// The node's answers say their length; a page of them fits into memory.
    private func receive() throws -> Answer {
        var bytes = Data()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var head: Head?
        while true {
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw BenchmarkFault.unreachable(port: port) }
            bytes.append(contentsOf: chunk[..<count])
            head = head ?? bytes.range(of: Self.end).map { Head(bytes[..<$0.lowerBound]) }
            guard let head, bytes.count >= head.byteCount + Self.end.count + head.length else {
                continue
            }
            let body = bytes[(head.byteCount + Self.end.count)...]
            return Answer(status: head.status, body: body)
        }
    }

    /// What the lines before an answer's body say.
    private struct Head {
        let byteCount: Int
        let status: Int
        let length: Int

        init(_ bytes: Data) {
            byteCount = bytes.count
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
            status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
            length =
                lines.lazy.map { $0.lowercased() }
                .first { $0.hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        }
    }
}

/// What keeps a measurement from being made.
enum BenchmarkFault: Error {
    case unreachable(port: UInt16)
    case refused(Int, String)
    case ended(String)
    case notInTime(String)
    case noLimit
}
