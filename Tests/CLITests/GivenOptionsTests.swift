import Support
import Testing

@testable import CLI

/// Options that ArgumentParser alone would misread or blame on something else.
@Suite(.timeLimit(.minutes(2)))
struct GivenOptionsTests {
    private func outcome(_ words: String...) throws -> Program.Outcome {
        try Program(folder: try TemporaryFolder().path).run(all: words)
    }

    /// - From commands: an option with one value that is given twice → exit 2
    @Test func `refuses an option with one value that is given twice`() throws {
        let bid = try outcome("sale", "buy", "bicycle", "--ship-to", "DE", "--ship-to=AT")
        #expect(bid.code == 2 && bid.words.contains("--ship-to is given twice"), "\(bid.words)")
        let price = try outcome(
            "listing",
            "create",
            "Lamp",
            "--price",
            "1",
            "--price",
            "2",
            "--description",
            "Red.",
            "--category",
            "lamps",
            "--tag",
            "lamp",
            "--tag",
            "red",
            "--identifier",
            "1"
        )
        #expect(price.code == 2, "\(price.words)")
        #expect(price.words.contains("--price is given twice. Give it once."), "\(price.words)")
    }

    /// - From commands: options before the command, or the word help behind a noun → exit 2
    @Test func `options before the command and help behind a noun are explained`() throws {
        let early = try outcome("--node", "http://127.0.0.1:1", "status")
        #expect(early.code == 2, "\(early.words)")
        #expect(early.words.contains("Options stand after the command: stoa status …"))
        let help = try outcome("sale", "help")
        #expect(help.code == 2 && help.words.contains("Did you mean 'stoa sale --help'?"))
    }

    /// - From commands: an option by the name that another program has for it → exit 2
    @Test func `an option by another word for it is explained`() throws {
        let picture = try outcome("listing", "create", "Lamp", "--picture", "lamp.jpg")
        #expect(picture.code == 2, "\(picture.words)")
        #expect(picture.words.contains("has no option '--picture'. Did you mean '--media'?"))
    }

    /// - From commands: a mistyped option, while something is missing → exit 2
    @Test func `reports a mistyped option before the value that it lacks`() throws {
        let mistyped = try outcome("listing", "create", "Lamp", "--prise", "1")
        #expect(mistyped.code == 2, "\(mistyped.words)")
        #expect(
            mistyped.words.contains("has no option '--prise'. Did you mean '--price'?"),
            "\(mistyped.words)"
        )
        let missing = try outcome("listing", "create", "Lamp", "--tag", "red")
        #expect(missing.code == 2 && missing.words.contains("Missing expected argument"))
    }

    /// - From commands: options of `listing create` that are for another way of selling; a course →
    ///   exit 2
    @Test(arguments: [
        (["--category", "course"], "stoa course create"),
        (["--category", "lamps", "--payment", "enrolment"], "stoa course create"),
        (["--category", "lamps", "--payment", "auction", "--light"], "not for --payment auction"),
        (["--category", "lamps", "--duration", "3d"], "are for --payment auction"),
    ])
    func `refuses options that do not fit the kind of sale`(
        options: [String],
        words: String
    ) throws {
        let create = [
            "listing", "create", "Lamp", "--price", "0.5", "--description", "Red.", "--tag", "lamp",
            "--identifier", "1",
        ]
        let refused = try Program(folder: try TemporaryFolder().path).run(all: create + options)
        #expect(refused.code == 2 && refused.words.contains(words), "\(refused.words)")
    }
}
