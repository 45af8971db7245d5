import CFuzzer
import Foundation

/// Runs libFuzzer on one parser: `Fuzz --target=NAME [libFuzzer's options] [FOLDER or FILE…]`.
///
/// Without one of the targets it lists them, each with the length of its longest input. The target is an
/// option with two dashes, which libFuzzer passes on to its own child processes and ignores.
@main
enum Fuzz {
    private static let option = "--target="

    /// The parser of this process.
    fileprivate static let target = CommandLine.arguments.first { $0.hasPrefix(option) }
        .flatMap { argument in
            FuzzTarget.all.first { $0.name == argument.dropFirst(option.count) }
        }

    static func main() {
        guard target != nil else {
            for target in FuzzTarget.all { print(target.name, target.byteCountMax) }
            exit(CommandLine.argc > 1 ? 2 : 0)
        }
        var count = CommandLine.argc
        var arguments = unsafe Optional(CommandLine.unsafeArgv)
        exit(unsafe LLVMFuzzerRunDriver(&count, &arguments, runOnce))
    }
}

/// Runs one input.
///
/// It has the name that libFuzzer's own main function calls, so that the library links.
@_cdecl("LLVMFuzzerTestOneInput")
func runOnce(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
        _ = try Fuzz.target?.takes(input)
    } catch {
        fatalError("\(error)")
    }
    return 0
}

/// The leaks that the sanitizer must not report, one a line.
///
/// It sees no global whose pointer carries the case of an enumeration.
@_cdecl("__lsan_default_suppressions")
func suppressedLeaks() -> UnsafePointer<UInt8>? {
    let text: StaticString = "leak:swift::threading_impl::once_slow\n"
    return unsafe text.utf8Start
}

/// Keeps less freed memory than usual, so that the limit of memory is one of the parser.
@_cdecl("__asan_default_options")
func sanitizerOptions() -> UnsafePointer<UInt8>? {
    let text: StaticString = "quarantine_size_mb=16"
    return unsafe text.utf8Start
}
