import Foundation
import Testing

/// A terminal of the system's own, with a test at its other end.
final class TestTerminal {
    let master: Int32
    let slave: Int32

    /// Asks Linux itself: the C library's `posix_openpt` is not among what Swift imports of it.
    ///
    /// Source: Linux, ioctl_tty(2), "Pseudoterminal ioctls".
    init() {
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var lock: Int32 = 0
        var number: UInt32 = 0
        precondition(unsafe ioctl(master, Self.setLock, &lock) == 0)
        precondition(unsafe ioctl(master, Self.getNumber, &number) == 0)
        slave = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        precondition(slave >= 0, "a terminal has two ends")
    }

    /// `TIOCSPTLCK` and `TIOCGPTN`.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    deinit {
        close(slave)
        close(master)
    }

    /// Whether what is typed is shown.
    var echoes: Bool {
        var settings = termios()
        precondition(unsafe tcgetattr(slave, &settings) == 0)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    func resize(columns: UInt16) {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        precondition(unsafe ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
    }

    /// Starts the program here; what it prints for programs is not kept.
    func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = arguments
        process.standardInput = FileHandle(fileDescriptor: slave)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(fileDescriptor: slave)
        try process.run()
        return process
    }

    /// Returns what was printed up to a text that comes now or later.
    func printed(until text: String) throws -> String {
        var said = Data()
        while said.range(of: Data(text.utf8)) == nil {
            // Not `read(upToCount:)`, which waits until it has so many bytes.
            let more = FileHandle(fileDescriptor: master).availableData
            try #require(!more.isEmpty, "\(String(decoding: said, as: UTF8.self))")
            said += more
        }
        return String(decoding: said, as: UTF8.self)
    }

    func type(_ text: String) throws {
        try FileHandle(fileDescriptor: master).write(contentsOf: Data(text.utf8))
    }
}
