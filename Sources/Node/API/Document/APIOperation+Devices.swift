/// The calls for the devices of an account.
extension APIOperation {
    static let devices = [
        APIOperation("get", "devices", "List the account's devices.", gives: "[Device]"),
        APIOperation(
            "delete",
            "devices/{id}",
            "Revoke a device of the account for good.",
            status: 204
        ),
    ]
}
