// TLS 1.3 over the loopback interface with nothing around it: what OpenSSL and the kernel allow.
#include "limits.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RECORD_BYTES = 16384, READ_BYTES = 65536, ECHO_BYTES = 32 };

struct server {
    SSL_CTX *context;
    int listener;
    int echoes;
};

static SSL_CTX *make_context(EVP_PKEY *key, X509 *certificate) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_use_certificate(context, certificate);
    SSL_CTX_use_PrivateKey(context, key);
    return context;
}

static X509 *make_certificate(EVP_PKEY *key) {
    X509 *certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, EVP_sha256());
    return certificate;
}

static void *serve(void *argument) {
    struct server *server = argument;
    char bytes[READ_BYTES];
    int accepted = accept(server->listener, NULL, NULL);
    int on = 1;
    setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    SSL *session = SSL_new(server->context);
    SSL_set_fd(session, accepted);
    if (SSL_accept(session) == 1) {
        for (;;) {
            int count = SSL_read(session, bytes, sizeof bytes);
            if (count <= 0) break;
            if (server->echoes) SSL_write(session, bytes, count);
        }
    }
    SSL_free(session);
    close(accepted);
    return NULL;
}

static int write_rounds(SSL *session, int rounds, int echoes) {
    static char bytes[RECORD_BYTES];
    int size = echoes ? ECHO_BYTES : RECORD_BYTES, done = 0;
    for (; done < rounds; done++) {
        if (SSL_write(session, bytes, size) != size) break;
        for (int got = 0; echoes && got < size;) {
            int count = SSL_read(session, bytes, size - got);
            if (count <= 0) return done;
            got += count;
        }
    }
    return done;
}

// Writes records, or waits for echoes, against a server thread; returns how many were done.
static int run(int rounds, int echoes) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = make_certificate(key);
    SSL_CTX *context = make_context(key, certificate);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), done = 0;
    if (bind(listener, (void *)&address, length) || listen(listener, 1)) return 0;
    getsockname(listener, (void *)&address, &length);
    struct server server = {context, listener, echoes};
    pthread_t thread;
    pthread_create(&thread, NULL, serve, &server);

    int dialled = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    SSL *session = SSL_new(context);
    if (connect(dialled, (void *)&address, length) == 0) {
        setsockopt(dialled, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        SSL_set_fd(session, dialled);
        if (SSL_connect(session) == 1) done = write_rounds(session, rounds, echoes);
        SSL_shutdown(session);
    }
    SSL_free(session);
    close(dialled);
    pthread_join(thread, NULL);
    close(listener);
    SSL_CTX_free(context);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return done;
}

int limits_tls_send_mebibytes(int32_t mebibytes) {
    return run(mebibytes * (1048576 / RECORD_BYTES), 0) / (1048576 / RECORD_BYTES);
}

int limits_tls_echo(int32_t rounds) { return run(rounds, 1); }

int limits_tls_connect(int32_t rounds) {
    int done = 0;
    while (done < rounds && run(1, 1) == 1) done++;
    return done;
}
