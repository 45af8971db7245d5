import ArgumentParser
import Client

extension CourseCommand {
    struct Evaluate: MoveCommand {
        static let configuration = command(
            "As student: rate the round with five numbers from 0 to 100.",
            discussion: """
                The rating is public and final. It decides how much the teacher gets beyond 90%. On a \
                terminal the command asks for the numbers that are missing.
                """
        )
        static let examples = [
            "course evaluate knots --preparation 90 --content 80 --delivery 85 --communication 95 "
                + "--overall 88"
        ]

        @Option(
            parsing: .unconditional,
            help: "Required. How well the teacher was prepared, from 0 to 100."
        )
        var preparation: UInt64?
        @Option(parsing: .unconditional, help: "Required. How good the content was, from 0 to 100.")
        var content: UInt64?
        @Option(parsing: .unconditional, help: "Required. How well it was taught, from 0 to 100.")
        var delivery: UInt64?
        @Option(
            parsing: .unconditional,
            help: "Required. How well the teacher communicated with the students, from 0 to 100."
        )
        var communication: UInt64?
        @Option(parsing: .unconditional, help: "Required. The round as a whole, from 0 to 100.")
        var overall: UInt64?
        @OptionGroup var target: MoveOptions

        /// The move with the numbers that are given; `timed` asks for the others.
        var move: SaleMove { SaleMove(move: "evaluate", points: given.compactMap(\.self)) }

        private var given: [UInt64?] { [preparation, content, delivery, communication, overall] }

        func validate() throws {
            try Needs.check(
                [
                    "--preparation <preparation>": preparation != nil,
                    "--content <content>": content != nil, "--delivery <delivery>": delivery != nil,
                    "--communication <communication>": communication != nil,
                    "--overall <overall>": overall != nil,
                ],
                canAsk: Needs.canAsk(asJSON: target.call.json, isAgreed: target.consent.yes)
            )
        }

        private static let questions = [
            "How well the teacher was prepared, 0 to 100: ", "How good the content was, 0 to 100: ",
            "How well it was taught, 0 to 100: ",
            "How well the teacher communicated with the students, 0 to 100: ",
            "The round as a whole, 0 to 100: ",
        ]

        func timed(_ move: SaleMove, by node: StoaClient) async throws -> SaleMove {
            var points: [UInt64] = []
            for (number, question) in zip(given, Self.questions) {
                if let number {
                    points.append(number)
                } else {
                    points.append(
                        try await Needs.answer(question) { text in
                            UInt64(text).flatMap { (0...100).contains($0) ? $0 : nil }
                        }
                    )
                }
            }
            var whole = move
            whole.points = points
            return whole
        }
    }
}
