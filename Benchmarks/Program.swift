import Foundation

/// The program `stoa`, built beside this one.
enum Program {
    static var path: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/stoa"
    }

    /// Runs a command to its end and gives what it printed.
    ///
    /// - Throws: ``BenchmarkFault/ended(_:)`` where it fails.
    @discardableResult
    static func run(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(),
            as: UTF8.self
        )
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFault.ended("stoa " + arguments.joined(separator: " ") + "\n" + text)
        }
        return text
    }

    /// A port of this machine that nobody has now.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe bind(descriptor, address, length) == 0 else { return Int32(-1) }
                return unsafe getsockname(descriptor, address, &length)
            }
        }
        guard result == 0 else { throw BenchmarkFault.unreachable(port: 0) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Anonymous memory of a process in KiB: what it holds beside files mapped into it.
    static func anonymousKibibytes(of process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        guard let number = line.flatMap({ Int($0.split(separator: " ").dropLast().last ?? "") })
        else { throw BenchmarkFault.ended("process \(process)") }
        return number
    }

    /// Seconds of processor time that a process has used, in user mode and in the kernel.
    static func processorSeconds(of process: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // Behind the name, which may hold anything: state, and from the twelfth on the two times.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
        else { throw BenchmarkFault.ended("process \(process)") }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
