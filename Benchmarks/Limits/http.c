#define _GNU_SOURCE
// Requests over HTTP/1.1 to a port of this machine, as many at one time as there are connections:
// a caller that costs little itself, so that what is measured is the server.
#include "limits.h"

#include <arpa/inet.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { bufferMax = 1 << 20 };

struct connection {
    int socket;
    double sentAt;
    // What has come of the answer, and the length of it all; 0 until its head is complete.
    size_t count, length;
    char *bytes;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int connected(uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1, result = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(result, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(result, (struct sockaddr *)&address, sizeof address) == 0) return result;
    close(result);
    return -1;
}

static int begin(struct connection *connection, const uint8_t *bytes, struct limits_request request) {
    connection->count = connection->length = 0;
    connection->sentAt = now();
    ssize_t sent = send(connection->socket, bytes + request.offset, request.count, MSG_NOSIGNAL);
    return sent == (ssize_t)request.count;
}

// The length of an answer with its head; 0 until that is complete, -1 if it is not a good one.
static ssize_t lengthOf(struct connection *connection) {
    connection->bytes[connection->count] = 0;
    char *end = strstr(connection->bytes, "\r\n\r\n");
    if (end == NULL) return 0;
    char *field = strcasestr(connection->bytes, "\r\ncontent-length:");
    if (strncmp(connection->bytes, "HTTP/1.1 200", 12) != 0 || field == NULL || field > end) return -1;
    return end + 4 - connection->bytes + atol(field + 17);
}

// Reads what has come. Returns 1 if the answer is complete, 0 if not yet, -1 if there is none.
static int receive(struct connection *connection) {
    size_t room = bufferMax - 1 - connection->count;
    ssize_t count = recv(connection->socket, connection->bytes + connection->count, room, 0);
    if (count <= 0) return -1;
    connection->count += (size_t)count;
    if (connection->length == 0) {
        ssize_t length = lengthOf(connection);
        if (length < 0 || length >= bufferMax) return -1;
        connection->length = (size_t)length;
    }
    return connection->length != 0 && connection->count >= connection->length;
}

static int run(
    struct connection *all, int connections, int poll, const uint8_t *bytes,
    const struct limits_request *requests, int kinds, int count, double *milliseconds) {
    int begun = 0, done = 0;
    for (int index = 0; index < connections && begun < count; index++, begun++)
        if (!begin(&all[index], bytes, requests[begun % kinds])) return -1;
    while (done < count) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, 30000);
        if (ready <= 0) return -1;
        for (int index = 0; index < ready; index++) {
            struct connection *connection = &all[events[index].data.u32];
            int state = receive(connection);
            if (state < 0) {
                fprintf(stderr, "answered: %.300s\n", connection->count == 0 ? "nothing" : connection->bytes);
                return -1;
            }
            if (state == 0) continue;
            milliseconds[done++] = now() - connection->sentAt;
            if (begun < count && !begin(connection, bytes, requests[begun++ % kinds])) return -1;
        }
    }
    return done;
}

double limits_processor_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void limits_trim_memory(void) { malloc_trim(0); }

int limits_http(
    uint16_t port, const uint8_t *bytes, const struct limits_request *requests, int kinds, int connections,
    int count, double *milliseconds) {
    struct connection *all = calloc((size_t)connections, sizeof *all);
    int poll = epoll_create1(0), result = 0;
    for (int index = 0; index < connections; index++) {
        all[index].bytes = malloc(bufferMax);
        all[index].socket = connected(port);
        if (all[index].socket < 0) result = -1;
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
        epoll_ctl(poll, EPOLL_CTL_ADD, all[index].socket, &event);
    }
    if (result == 0) result = run(all, connections, poll, bytes, requests, kinds, count, milliseconds);
    for (int index = 0; index < connections; index++) {
        if (all[index].socket >= 0) close(all[index].socket);
        free(all[index].bytes);
    }
    close(poll);
    free(all);
    return result;
}
