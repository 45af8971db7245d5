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
#include <unistd.h>

static int set_address(int socket, const char *name, const char *address) {
    struct ifreq request = {0};
    struct sockaddr_in *field = (struct sockaddr_in *)&request.ifr_addr;
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    field->sin_family = AF_INET;
    if (inet_pton(AF_INET, address, &field->sin_addr) != 1) return 0;
    return ioctl(socket, SIOCSIFADDR, &request) == 0;
}

// The kernel's `struct in6_ifreq`, whose header does not go with the C library's.
struct ip6_request {
    struct in6_addr address;
    uint32_t prefix;
    int32_t interface;
};

int limits_own_ip6_address(const char *address) {
    struct ip6_request request = {.prefix = 128, .interface = (int32_t)if_nametoindex("lo")};
    int control = socket(AF_INET6, SOCK_DGRAM, 0);
    if (control < 0) return 0;
    int done = inet_pton(AF_INET6, address, &request.address) == 1
        && ioctl(control, SIOCSIFADDR, &request) == 0;
    close(control);
    return done;
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
