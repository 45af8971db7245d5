import ArgumentParser
import Client
import Foundation
import Setup

extension AccountCommand {
    struct Import: LeafCommand {
        static let configuration = command(
            "Create an account with a key from another wallet, and sign in.",
            discussion: """
                The key comes from a keystore file (version 3) or is a private key, read from a \
                file or typed. The node encrypts it with the account's password; the file stays \
                as it is. Such an account has no recovery phrase: keep the key or the file.
                """
        )
        static let examples = [
            "account import anna --keystore UTC--2026-11-23--5aaeb6.json",
            "account import anna --private-key-file key.txt",
        ]

        @OptionGroup var secret: PasswordOptions
        @Argument(help: "The account's name on this node.") var name: String

        @Option(help: "The keystore file of the other wallet.", completion: .file()) var keystore:
            String?
        @Option(
            help: """
                A file (mode 0600) with the keystore's password. Without it, you are asked to type \
                the password.
                """,
            completion: .file()
        )
        var keystorePasswordFile: String?
        @Option(
            help: "Read the private key from a file that only its owner may read (mode 0600).",
            completion: .file()
        )
        var privateKeyFile: String?
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func validate() throws {
            if keystore != nil, privateKeyFile != nil {
                throw ValidationError("Give --keystore or --private-key-file, not both.")
            }
            if keystore == nil, keystorePasswordFile != nil {
                throw ValidationError("--keystore-password-file needs --keystore.")
            }
        }

        func run() async throws {
            var request = AccountImport(name: name, password: "")
            if let keystore {
                let file = try Self.text(of: keystore)
                try KeyCheck.keystore(file)
                request.keystore = file
                request.keystorePassword = try keystorePassword()
            } else {
                request.privateKey = try privateKey()
            }
            if secret.isTyped { try KeyCheck.key(of: request) }
            request.password = try secret.read(isNew: true)
            try await options.asOperator { [request] node in
                let account = try await node.importAccount(request)
                try options.output.show(account) { "Account \($0.name): \($0.address)" }
                try await options.signIn(name, request.password, node)
            }
        }

        private func keystorePassword() throws -> String {
            if let file = keystorePasswordFile {
                // Some programs seal with no password, such as geth in its test mode.
                return try SecretFile(file).firstLine(canBeEmpty: true)
            }
            return try PasswordOptions.typed(
                "Password of the keystore file: ",
                isNew: false,
                otherwise: "Use --keystore-password-file."
            )
        }

        private func privateKey() throws -> String {
            if let file = privateKeyFile { return try SecretFile(file).onlyLine() }
            guard let key = try Terminal.secret("Private key: ") else {
                throw Failure(
                    .usage,
                    "There is no terminal to type the private key on. Use --private-key-file or "
                        + "--keystore."
                )
            }
            return key
        }

        /// The maximum number of bytes of a keystore file; one of Ethereum's programs has less than
        /// 1 KiB.
        private static let keystoreByteCountMax = 64 << 10

        private static func text(of path: String) throws -> String {
            let bytes = try LocalFile.contents(of: path, byteCountMax: keystoreByteCountMax) {
                Failure(.configuration, "\($0) is not a keystore file: it is longer than 64 KiB.")
            }
            guard !bytes.isEmpty else {
                throw Failure(.configuration, "\(path.quoted) is not a keystore file: it is empty.")
            }
            do { return try UTF8Text.decode(file: bytes) } catch {
                throw Failure(.configuration, "\(path.quoted) is not a keystore file: it \(error).")
            }
        }
    }

    struct SetPassword: LeafCommand {
        static let configuration = CommandConfiguration(
            commandName: "password",
            abstract: "Set a new password, with the old one, the recovery phrase or the key.",
            discussion: """
                All sessions of the account end; sign in again with the new password. With \
                --password-stdin the new password is the second line, unless it comes from a file.
                """
        )
        static let examples = [
            "account password anna", "account password anna --with-phrase",
        ]

        @OptionGroup var secret: PasswordOptions
        @Argument(help: .account, completion: CompletionValues.accounts) var account: String

        @Flag(help: "Use the recovery phrase instead of the old password; it is typed.")
        var withPhrase = false
        @Option(
            help: "Read the recovery phrase from a file that only its owner may read.",
            completion: .file()
        )
        var phraseFile: String?
        @Option(
            help: """
                Read the private key, instead of the old password, from a file that only its owner may \
                read: for an account without a phrase.
                """,
            completion: .file()
        )
        var privateKeyFile: String?
        @Option(
            help: "Read the new password from a file that only its owner may read.",
            completion: .file()
        )
        var newPasswordFile: String?
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func validate() throws {
            guard privateKeyFile == nil || !withPhrase && phraseFile == nil else {
                throw ValidationError("Give the phrase or the private key, not both.")
            }
        }

        func run() async throws {
            var change = PasswordChange(newPassword: "")
            if let privateKeyFile {
                change.privateKey = try SecretFile(privateKeyFile).onlyLine()
            } else if withPhrase || phraseFile != nil {
                let phrase = try AccountCommand.Recover.phrase(phraseFile)
                if secret.isTyped { try KeyCheck.phrase(phrase) }
                change.phrase = phrase
            } else {
                change.password = try secret.read(isNew: false)
            }
            change.newPassword = try newPassword()
            try await options.asOperator { [change] node in
                try await node.changePassword(of: account, change)
                if let entry = try? options.sessions.session(of: account) {
                    options.sessions.forget(entry.session.account.name)
                }
                options.output.note("\(account) has a new password. Sign in with it.")
            }
        }

        private func newPassword() throws -> String {
            if let newPasswordFile { return try SecretFile(newPasswordFile).firstLine() }
            if secret.passwordStdin {
                guard let line = try StandardInput.line("The new password"), !line.isEmpty else {
                    throw Failure(.usage, "Standard input has no second line.")
                }
                return line
            }
            return try PasswordOptions.typed(
                "New password: ",
                isNew: true,
                otherwise: "Use --new-password-file."
            )
        }
    }

    struct Export: LeafCommand {
        static let configuration = command(
            "Write the account's key to a keystore file for other wallets.",
            discussion: """
                The account's password opens the file. Whoever has both controls the account.
                """
        )
        static let examples = ["account export anna --into anna.json"]

        @OptionGroup var secret: PasswordOptions
        @Argument(help: .account, completion: CompletionValues.accounts) var account: String
        @Option(
            help: """
                The file to write. Defaults to a file in the current folder with the usual \
                keystore name.
                """,
            completion: .file()
        )
        var into: String?
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func validate() throws {
            guard into != "" else { throw ValidationError("--into is empty. Name a file.") }
        }

        func run() async throws {
            let password = try secret.read(isNew: false)
            try await options.asOperator { node in
                let export = try await node.keystore(of: account, password: password)
                let path = into ?? export.fileName
                try LocalFile.requireFree(path, option: "--into", canForce: false)
                do throws(PrivateFileError) {
                    try PrivateFile.write(export.keystore.utf8, to: path)
                } catch {
                    throw Failure(
                        .configuration,
                        "\(path.quoted) cannot be written: \(error.reason). "
                            + (FullDisk.advice(error.reason) ?? "Name another file with --into.")
                    )
                }
                let done = Exported(account: export.address, file: path)
                try options.output.show(done) { "The key of \($0.account) is in '\($0.file)'." }
            }
        }

        private struct Exported: Encodable {
            let account: String
            let file: String
        }
    }

    struct Reveal: LeafCommand {
        static let configuration = command(
            "Show the account's private key.",
            discussion: """
                Anyone who sees the key controls the account and its money, for ever. The \
                recovery phrase is not kept and cannot be shown again.
                """
        )
        static let examples = ["account reveal anna"]

        @OptionGroup var secret: PasswordOptions
        @Argument(help: .account, completion: CompletionValues.accounts) var account: String
        @Flag(name: .shortAndLong, help: "Show it without asking.") var yes = false
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func run() async throws {
            try confirm()
            let password = try secret.read(isNew: false)
            try await options.asOperator { node in
                let key = try await node.privateKey(of: account, password: password)
                try options.output.show(key, \.privateKey)
            }
        }

        private func confirm() throws {
            guard !yes else { return }
            try Terminal.confirm(
                "This shows the private key of \(account) on the screen. Show it?",
                orElse: "Nothing was shown."
            )
        }
    }
}
