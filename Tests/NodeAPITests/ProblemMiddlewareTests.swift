import Logging
import Storage
import Testing

@testable import NodeAPI

struct ProblemMiddlewareTests {
    @Test func `logs no error for each call that a full store refuses`() {
        #expect(ProblemMiddleware.level(of: .mapFull(.begin)) == .debug)
        #expect(ProblemMiddleware.level(of: .diskFull(.commit)) == .debug)
        #expect(ProblemMiddleware.level(of: .corrupt(.value(table: "records"))) == .error)
    }
}
