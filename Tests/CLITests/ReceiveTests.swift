import Foundation
import Testing

@testable import CLI

/// Payment requests and their QR codes.
struct ReceiveTests {
    private static let account = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    private static let token = MoneyTextTests.token

    private static func uri(_ amount: String?, _ currency: String?) throws -> String {
        try CurrencyUnits.$current.withValue(MoneyTextTests.units) {
            try WalletReceive.request(amount, currency, to: account, on: 8_217).text
        }
    }

    @Test func `a request has the form of EIP-681`() throws {
        #expect(try Self.uri(nil, nil) == "ethereum:\(Self.account)@8217")
        #expect(
            try Self.uri("0.5", nil)
                == "ethereum:\(Self.account)@8217?value=500000000000000000"
        )
        #expect(try Self.uri("0.5", "native") == Self.uri("0.5", nil))
        let transfer = "ethereum:\(Self.token)@8217/transfer?address=\(Self.account)"
        #expect(try Self.uri(nil, "TST") == transfer)
        #expect(try Self.uri("12.50", "TST") == transfer + "&uint256=1250")
        #expect(try Self.uri("12.50 TST", nil) == transfer + "&uint256=1250")
    }

    /// - From commands: asking for a payment of 0, of MAX, of something that is not an amount, or
    ///   in a currency that the market does not have →
    ///   exit 2
    @Test(
        arguments: [("0", nil), ("MAX", nil), ("x", nil), ("5", "DAI"), (nil, "DAI")]
            as [(String?, String?)]
    )
    func `a request may ask for an amount in one of the market's currencies`(
        amount: String?,
        currency: String?
    ) {
        #expect(throws: Failure.self) { try Self.uri(amount, currency) }
    }

    /// The squares in three corners, by which readers find a code.
    @Test func `a QR code has its finder patterns and its quiet zone`() throws {
        let code = try QRCode(try Self.uri("0.5", nil))
        let (quiet, last) = (QRCode.quietModules, code.fullWidth - QRCode.quietModules - 7)
        for (row, column) in [(quiet, quiet), (quiet, last), (last, quiet)] {
            for y in 0..<7 {
                for x in 0..<7 {
                    let isRing = [0, 6].contains(x) || [0, 6].contains(y)
                    let isCore = (2...4).contains(x) && (2...4).contains(y)
                    #expect(code.isDark(row: row + y, column: column + x) == (isRing || isCore))
                }
            }
        }
        for place in 0..<code.fullWidth {
            for edge in 0..<quiet {
                #expect(!code.isDark(row: edge, column: place))
                #expect(!code.isDark(row: place, column: edge))
                #expect(!code.isDark(row: code.fullWidth - 1 - edge, column: place))
            }
        }
    }

    @Test func `terminal, SVG and PNG show the same modules`() throws {
        let code = try QRCode(try Self.uri("12.50", "TST"))
        let lines = code.lines(hasColours: false).map(Array.init)
        #expect(lines.count == (code.fullWidth + 1) / 2)
        for row in 0..<code.fullWidth {
            for column in 0..<code.fullWidth {
                let block = lines[row / 2][column]
                let isLight = block == "█" || block == (row.isMultiple(of: 2) ? "▀" : "▄")
                #expect(isLight != code.isDark(row: row, column: column))
                let path = "M\(column) \(row)h1v1h-1z"
                #expect(code.svg.contains(path) == code.isDark(row: row, column: column))
            }
        }
        let png = try code.png()
        let side = UInt32(code.fullWidth * 8)
        #expect(png.prefix(8).elementsEqual([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(png[16..<20].reduce(0) { $0 << 8 | UInt32($1) } == side)
        #expect(png[20..<24].reduce(0) { $0 << 8 | UInt32($1) } == side)
    }

    /// - From commands: an image of a payment request that cannot be written → exit 4
    @Test func `names the option if an image cannot be written`() {
        let error = #expect(throws: Failure.self) {
            try LocalFile.write(
                [],
                to: "/proc/none/code.png",
                isForced: false,
                option: "--png"
            )
        }
        #expect(error?.message.hasPrefix("'/proc/none/code.png' cannot be written") == true)
        #expect(error?.message.hasSuffix("Name another file with --png.") == true)
    }

    /// - From commands: a payment request that is too long for a QR code → exit 1
    @Test func `refuses a text that does not fit in a QR code`() {
        #expect(throws: Failure.self) { try QRCode(String(repeating: "x", count: 3_000)) }
    }
}
