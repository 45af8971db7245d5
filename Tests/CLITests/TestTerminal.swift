import Foundation

/// A terminal of the system's own, with a test at its other end.
final class TestTerminal {
    let master: Int32
    let slave: Int32

    init() {
        master = posix_openpt(O_RDWR | O_NOCTTY)
        precondition(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
        let name = unsafe ptsname(master).map { unsafe String(cString: $0) } ?? ""
        slave = unsafe open(name, O_RDWR | O_NOCTTY)
        precondition(slave >= 0, "a terminal has two ends")
    }

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

    func type(_ text: String) throws {
        try FileHandle(fileDescriptor: master).write(contentsOf: Data(text.utf8))
    }
}
