import Glibc
import Node

/// Checks the program's arguments, and the settings in its environment, for valid UTF-8.
enum GivenText {
    /// Refuses an argument or a setting that is not UTF-8, before Swift repairs it silently.
    ///
    /// - Throws: ``Failure`` with the argument's number or the setting's name, and the position of
    ///   the first invalid byte.
    static func check() throws(Failure) {
        for place in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe CommandLine.unsafeArgv[place] else { break }
            try unsafe check(argument, "Argument \(place)")
        }
        for name in ["STOA_DATA"] + ConfigurationKey.all.map(\.environmentName) {
            guard let value = unsafe getenv(name) else { continue }
            try unsafe check(value, "\(name) in the environment")
        }
    }

    private static func check(_ text: UnsafePointer<CChar>, _ name: String) throws(Failure) {
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
        do { _ = try unsafe UTF8Text.decode(bytes) } catch {
            throw Failure(.usage, "\(name) \(error).")
        }
    }
}
