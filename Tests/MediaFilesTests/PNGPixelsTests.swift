import Market
import Support
import Testing

@testable import MediaFiles

/// The bytes of a PNG picture's pixels, once they are unpacked.
struct PNGPixelsTests {
    private typealias Samples = MediaSamples

    private func picture(
        _ width: Int,
        _ height: Int,
        depth: UInt8 = 8,
        type: UInt8 = 2,
        interlacing: UInt8 = 0,
        packed: [[UInt8]]
    ) -> [UInt8] {
        let header: [UInt8] = Samples.big(width, 4) + Samples.big(height, 4)
        let more: [UInt8] = [depth, type, 0, 0, interlacing]
        return Samples.pngStart + Samples.chunk("IHDR", header + more)
            + packed.flatMap { Samples.chunk("IDAT", $0) } + Samples.chunk("IEND", [])
    }

    /// - From people: a PNG picture whose pixels unpack to far more bytes than its size needs →
    ///   bad_media
    @Test func `refuses pixels that unpack to more bytes than a picture has`() async throws {
        let bomb = Samples.packedZeros(runs: 5_000)
        let parts = [Array(bomb[..<100]), Array(bomb[100...])]
        for packed in [[bomb], parts] {
            await #expect(throws: MediaFault.malformed(.png)) {
                try await PNGPixels.check(picture(8, 8, packed: packed))
            }
        }
        // Some more bytes are left to the decoder, as all that is damaged or cut off.
        for packed in [Samples.packedZeros(runs: 3_000), Array(bomb[..<100]), [], [1, 2, 3]] {
            try await PNGPixels.check(picture(8, 8, packed: [packed]))
        }
    }

    @Test func `accepts all pixels of each depth and order`() async throws {
        for (depth, type, bits) in [
            (1, 0, 1), (8, 3, 8), (8, 4, 16), (8, 2, 24), (16, 6, 64),
        ] as [(UInt8, UInt8, Int)] {
            for interlacing in [0, 1] as [UInt8] {
                let byteCount = 800 * 800 * bits / 8 + 4 * 800
                let packed = Samples.packedZeros(runs: byteCount / 258)
                let all = picture(
                    800,
                    800,
                    depth: depth,
                    type: type,
                    interlacing: interlacing,
                    packed: [packed]
                )
                try await PNGPixels.check(all)
            }
        }
    }
}
