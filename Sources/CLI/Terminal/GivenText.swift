import Glibc
import Setup

/// Checks the program's arguments and the settings in its environment before they are parsed.
enum GivenText {
    /// Refuses text that is not UTF-8, which Swift would repair silently, and text that would be
    /// read as options.
    ///
    /// - Throws: ``Failure`` that names the argument, or the setting and its first invalid byte.
    static func check() throws(Failure) {
        for place in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe CommandLine.unsafeArgv[place] else { break }
            try unsafe check(argument, "Argument \(place)")
        }
        try checkDashes(CommandLine.arguments.dropFirst())
        for name in ["STOA_DATA"] + ConfigurationKey.all.map(\.environmentName) {
            guard let value = unsafe getenv(name) else { continue }
            try unsafe check(value, "\(name) in the environment")
        }
    }

    /// Refuses text that begins with `-`, because it would be read as options, one for each letter.
    private static func checkDashes(_ arguments: some Sequence<String>) throws(Failure) {
        for argument in arguments {
            guard argument != "--" else { return }
            guard argument.hasPrefix("-"), argument != "-", !isOption(argument) else { continue }
            throw Failure(
                .usage,
                "\(argument.quoted) begins with '-' and would be read as an option. Write it after "
                    + "'--', or the text of an option as in --description='- new'."
            )
        }
    }

    /// Whether it is `-x`, `--name` or `--name=…`.
    ///
    /// Numbers pass too: the option that takes one checks it.
    private static func isOption(_ argument: String) -> Bool {
        if Double(argument) != nil { return true }
        guard argument.hasPrefix("--") else {
            return argument.count == 2 && argument.dropFirst().allSatisfy(isLetter)
        }
        let name = argument.dropFirst(2).prefix { $0 != "=" }
        return name.first.map(isLetter) == true
            && name.allSatisfy { isLetter($0) || $0.isNumber || $0 == "-" }
    }

    private static func isLetter(_ character: Character) -> Bool {
        character.isASCII && character.isLetter
    }

    private static func check(_ text: UnsafePointer<CChar>, _ name: String) throws(Failure) {
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
        do { _ = try unsafe UTF8Text.decode(bytes) } catch {
            throw Failure(.usage, "\(name) \(error).")
        }
    }
}
