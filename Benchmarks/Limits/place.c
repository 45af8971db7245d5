// A network of this process's own, without any other machine on it.
#include "limits.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int set_address(int socket, const char *name, const char *address) {
    struct ifreq request = {0};
    struct sockaddr_in *field = (struct sockaddr_in *)&request.ifr_addr;
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    field->sin_family = AF_INET;
    if (inet_pton(AF_INET, address, &field->sin_addr) != 1) return 0;
    return ioctl(socket, SIOCSIFADDR, &request) == 0;
}

// The C library's, but for the addresses for documentation, 2001:db8::/32 (RFC 3849): a socket that
// connects to one of them comes from that address too, as it does if the interface has the address.
int connect(int socket, const struct sockaddr *address, socklen_t length) {
    static const uint8_t documentation[] = {0x20, 0x01, 0x0d, 0xb8};
    struct sockaddr_in6 source;
    if (address->sa_family == AF_INET6 && length >= sizeof source) {
        memcpy(&source, address, sizeof source);
        source.sin6_port = 0;
        int yes = 1;
        if (memcmp(&source.sin6_addr, documentation, sizeof documentation) == 0
            && (setsockopt(socket, IPPROTO_IPV6, IPV6_FREEBIND, &yes, sizeof yes) != 0
                || bind(socket, (const struct sockaddr *)&source, sizeof source) != 0))
            return -1;
    }
    return (int)syscall(SYS_connect, socket, address, length);
}

int limits_own_address(int number, const char *address) {
    char name[IFNAMSIZ];
    snprintf(name, sizeof name, "lo:%d", number);
    struct ifreq request = {.ifr_name = "lo"};
    int control = socket(AF_INET, SOCK_DGRAM, 0);
    if (control < 0) return 0;
    int done = ioctl(control, SIOCGIFFLAGS, &request) == 0;
    request.ifr_flags |= IFF_UP;
    done = done && ioctl(control, SIOCSIFFLAGS, &request) == 0
        && set_address(control, name, address);
    close(control);
    return done;
}
