import Setup

extension PaymentURI {
    static let scheme = "ethereum:"

    /// Whether a text is a payment request, in capital letters or not.
    static func isRequest(_ text: String) -> Bool { text.lowercased().hasPrefix(scheme) }

    /// Reads a payment request of money or of a token.
    ///
    /// Fee settings in the request are ignored: the payer's own options decide the fee.
    ///
    /// - Throws: ``Failure`` for a text that is not a request, or a request for anything but a
    ///   payment.
    init(text: String) throws {
        guard Self.isRequest(text) else {
            throw Self.unreadable("it does not begin with 'ethereum:'")
        }
        let parts = text.dropFirst(Self.scheme.count).split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        let target = path[0].trimmingPrefix("pay-").split(
            separator: "@",
            omittingEmptySubsequences: false
        )
        let address = try Self.address(target[0])
        switch target.count {
        case 1: chain = nil
        case 2:
            guard let id = UInt64(target[1]) else {
                throw Self.unreadable("'@' is not followed by a chain's id")
            }
            chain = id
        default: throw Self.unreadable("it names several chains")
        }
        let values = try Self.values(parts.count > 1 ? parts[1] : "")
        if path.count == 1 {
            guard values["address"] == nil, values["uint256"] == nil else {
                throw Self.unreadable("it asks for something else than a payment")
            }
            account = address
            amount = try values["value"].map(Self.number)
        } else {
            guard path.count == 2, path[1] == "transfer", values["value"] == nil,
                let receiver = values["address"]
            else { throw Self.unreadable("it asks for something else than a payment") }
            account = try Self.address(receiver)
            currency = address
            amount = try values["uint256"].map(Self.number)
        }
    }

    private static let payment = ["value", "address", "uint256"]
    private static let feeWishes = ["gas", "gaslimit", "gasprice"]

    private static func values(_ query: Substring) throws -> [String: Substring] {
        var values: [String: Substring] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if feeWishes.contains(name.lowercased()) { continue }
            guard parts.count == 2, payment.contains(name) else {
                throw unreadable("it asks for something else than a payment")
            }
            guard values.updateValue(parts[1], forKey: name) == nil else {
                throw unreadable("it has \(name.quoted) twice")
            }
        }
        return values
    }

    private static func address(_ text: Substring) throws -> String {
        guard text.utf8.count == 42, text.lowercased().hasPrefix("0x"),
            text.dropFirst(2).allSatisfy(\.isHexDigit)
        else { throw unreadable("\(String(text).quoted) is not a whole address") }
        return "0x" + text.dropFirst(2)
    }

    /// Reads a whole number, which can be written as `2.5e18`.
    private static func number(_ text: Substring) throws -> String {
        let wrong = unreadable("\(String(text).quoted) is not an amount in the smallest unit")
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let exponent = parts.count > 1 ? Int(parts[1].trimmingPrefix("+")) : 0
        guard parts.count <= 2, mantissa.count <= 2, let zeros = exponent, (0...77).contains(zeros),
            mantissa.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } })
        else { throw wrong }
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        guard !mantissa[0].isEmpty || !fraction.isEmpty, fraction.count <= zeros else {
            throw wrong
        }
        let digits = mantissa[0] + fraction + String(repeating: "0", count: zeros - fraction.count)
        let number = digits.drop { $0 == "0" }
        guard number.count <= 78 else { throw wrong }
        return number.isEmpty ? "0" : String(number)
    }

    private static func unreadable(_ reason: String) -> Failure {
        Failure(
            .usage,
            "This payment request cannot be paid here: \(reason). Copy it as 'stoa wallet receive' "
                + "shows it, or give an address and an amount."
        )
    }
}
