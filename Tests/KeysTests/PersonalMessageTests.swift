import Keys
import Testing

struct PersonalMessageTests {
    /// Hashes computed with eth-account 0.14.0.
    @Test(arguments: [
        ("", "0x5f35dce98ba4fba25530a026ed80b2cecdaa31091ba4958b99b52ea1d068adad"),
        ("hello", "0x50b2c43fd39106bafbba0da34fc430e1f91e3c96ea2acee2bc34119f92b37750"),
        ("héllo", "0x42fd95dd8ed22d7d934d6ffff71ed0b730835b0de4bb3532a271568c8760c8d2"),
        (
            String(repeating: "a", count: 100),
            "0x90b496d4433ae2fe10bba2f73ca6a210a57d8499db0ae5dfb05f3fbeeff2b0cf"
        ),
    ])
    func `hashes a text the same way as wallets do`(text: String, hash: String) {
        #expect(PersonalMessage.hash(text: text).hex == hash)
    }
}
