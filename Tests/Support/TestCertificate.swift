package import NIOSSL

/// A certificate of `localhost`, signed by itself, for the tests alone.
package enum TestCertificate {
    /// What a client needs to accept the certificate.
    package static func clientConfiguration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try certificate()])
        return configuration
    }

    static func serverContext() throws -> NIOSSLContext {
        let key = try NIOSSLPrivateKey(bytes: Array(keyText.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(try certificate())],
                privateKey: .privateKey(key)
            )
        )
    }

    private static func certificate() throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(certificateText.utf8), format: .pem)
    }

    private static let keyText = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNteztQXomKWnoOg+
        FvhVER3cChdywD7aCVVI62+xX+ShRANCAAQPhna0OPG1tcztou+vvqfdcULtpGQs
        34j1tCzq3wPyKmCK9ENR6w2OF1u06o0nrPbWKSRemYsNvohlOGGqBq49
        -----END PRIVATE KEY-----
        """

    private static let certificateText = """
        -----BEGIN CERTIFICATE-----
        MIIBljCCATugAwIBAgIUZQ4aniSpA7taz+JpbKKYRq5Bk2wwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNTIyMDA0OFoYDzIxMjYxMTAx
        MjIwMDQ4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAQPhna0OPG1tcztou+vvqfdcULtpGQs34j1tCzq3wPyKmCK9ENR6w2O
        F1u06o0nrPbWKSRemYsNvohlOGGqBq49o2kwZzAdBgNVHQ4EFgQUjh3UnlCp0LjS
        qWdSUJuRYSkKn7owHwYDVR0jBBgwFoAUjh3UnlCp0LjSqWdSUJuRYSkKn7owDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SQAwRgIhAJNAukktZAB/iS0emVWsnsyw1rbIF5demtnRC6Teu2woAiEAkiCozRR0
        VBX+lDjzxqrSSjxuru202XLa/wrsfh81brM=
        -----END CERTIFICATE-----
        """
}
