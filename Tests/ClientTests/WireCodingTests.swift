import Client
import Foundation
import Testing

struct WireCodingTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_763_700_514_735, "2025-11-21T04:48:34.735Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_868_799_001, "2000-02-29T23:59:59.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
            (-1_500, "1969-12-31T23:59:58.500Z"),
        ] as [(Int, String)]
    )
    func `writes a time to the millisecond`(milliseconds: Int, text: String) throws {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        #expect(WireCoding.text(of: date) == text)
        let encoded = try WireCoding.encoder().encode([date])
        #expect(String(decoding: encoded, as: UTF8.self) == "[\"\(text)\"]")
    }
}
