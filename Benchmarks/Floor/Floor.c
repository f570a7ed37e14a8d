// The floor under every answer of a cluster: the same fan-out of messages without any search. A
// client's DEALER asks a ROUTER, which asks every worker's DEALER through a second ROUTER, waits
// for all of them and answers. Bare libzmq, no decoding, no copies beyond what routing needs; TCP
// to clients and local sockets to workers, as `fresnel up` has them. Without workers the ROUTER
// answers by itself: the floor under answers that it keeps.
//
//   MessageFloor WORKERS CLIENTS SECONDS  →  queries a second, p50 and p99 in microseconds

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

enum { frame_bytes = 4096, envelope_bytes = 64, question_bytes = 200, most_clients = 256 };

static char front[128], back[128];

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void worker(int number) {
    void *socket = zmq_socket(zmq_ctx_new(), ZMQ_DEALER);
    uint8_t name[2] = {'w', (uint8_t)number}, frame[frame_bytes];
    zmq_setsockopt(socket, ZMQ_ROUTING_ID, name, sizeof name);
    zmq_connect(socket, back);
    for (;;) {
        int count = zmq_recv(socket, frame, sizeof frame, 0);
        if (count < 0) exit(1);
        zmq_send(socket, frame, (size_t)count, 0);
    }
}

// The envelope before a question: the length of its client's routing id, the id, then the question,
// which begins with the client's number.
static void broker(int workers, int announcement) {
    void *context = zmq_ctx_new();
    void *clients = zmq_socket(context, ZMQ_ROUTER), *others = zmq_socket(context, ZMQ_ROUTER);
    zmq_bind(clients, "tcp://127.0.0.1:*");
    zmq_bind(others, back);
    size_t length = sizeof front;
    zmq_getsockopt(clients, ZMQ_LAST_ENDPOINT, front, &length);
    if (write(announcement, front, sizeof front) != sizeof front) exit(1);
    static int pending[most_clients];
    uint8_t id[256], frame[frame_bytes];
    zmq_pollitem_t items[2] = {{clients, 0, ZMQ_POLLIN, 0}, {others, 0, ZMQ_POLLIN, 0}};
    for (;;) {
        zmq_poll(items, 2, -1);
        for (int turn = 0; turn < 64 && items[0].revents; turn++) {
            int id_count = zmq_recv(clients, id, sizeof id, ZMQ_DONTWAIT);
            if (id_count < 0) break;
            int count = zmq_recv(
                clients, frame + envelope_bytes, sizeof frame - envelope_bytes, 0);
            if (count < 1 || id_count >= envelope_bytes) continue;
            if (workers == 0) {
                zmq_send(clients, id, (size_t)id_count, ZMQ_SNDMORE);
                zmq_send(clients, frame + envelope_bytes, (size_t)count, 0);
                continue;
            }
            frame[0] = (uint8_t)id_count;
            memcpy(frame + 1, id, (size_t)id_count);
            pending[frame[envelope_bytes]] = workers;
            for (int number = 0; number < workers; number++) {
                uint8_t name[2] = {'w', (uint8_t)number};
                zmq_send(others, name, sizeof name, ZMQ_SNDMORE);
                zmq_send(others, frame, (size_t)(envelope_bytes + count), 0);
            }
        }
        for (int turn = 0; turn < 64 && items[1].revents; turn++) {
            if (zmq_recv(others, id, sizeof id, ZMQ_DONTWAIT) < 0) break;
            int count = zmq_recv(others, frame, sizeof frame, 0);
            if (count <= envelope_bytes || --pending[frame[envelope_bytes]] > 0) continue;
            zmq_send(clients, frame + 1, frame[0], ZMQ_SNDMORE);
            zmq_send(clients, frame + envelope_bytes, (size_t)(count - envelope_bytes), 0);
        }
    }
}

struct client {
    void *socket;
    uint8_t question[question_bytes];
    int64_t asked;
};

static void ask(struct client *client) {
    client->asked = nanoseconds();
    zmq_send(client->socket, client->question, sizeof client->question, 0);
}

static void fail(const char *reason) {
    fprintf(stderr, "MessageFloor: %s\n", reason);
    exit(1);
}

struct times {
    int64_t *all;
    size_t count, capacity;
};

static void append(struct times *times, int64_t time) {
    if (times->count == times->capacity) {
        times->capacity = times->capacity ? 2 * times->capacity : 1 << 16;
        times->all = realloc(times->all, times->capacity * sizeof *times->all);
        if (!times->all) abort();
    }
    times->all[times->count++] = time;
}

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// One thread for all clients, as in the load that is set beside this floor.
static void measure(int count, double seconds) {
    void *context = zmq_ctx_new();
    struct client *clients = calloc((size_t)count, sizeof *clients);
    zmq_pollitem_t *items = calloc((size_t)count, sizeof *items);
    if (!clients || !items) abort();
    for (int number = 0; number < count; number++) {
        void *socket = zmq_socket(context, ZMQ_DEALER);
        int linger = 0;
        zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
        zmq_connect(socket, front);
        clients[number].socket = socket;
        clients[number].question[0] = (uint8_t)number;
        items[number] = (zmq_pollitem_t){socket, 0, ZMQ_POLLIN, 0};
    }
    struct times times = {0};
    uint8_t answer[frame_bytes];
    for (int number = 0; number < count; number++) {
        // Connected, and heard, before anything is counted.
        ask(&clients[number]);
        if (zmq_poll(&items[number], 1, 5000) != 1) fail("a client gets no answer");
        zmq_recv(items[number].socket, answer, sizeof answer, 0);
    }
    int64_t started = nanoseconds(), over = started + (int64_t)(seconds * 1e9), now = started;
    for (int number = 0; number < count; number++) ask(&clients[number]);
    while (now < over) {
        if (zmq_poll(items, count, 1000) < 1) fail("answers stopped");
        for (int number = 0; number < count; number++) {
            if (!items[number].revents) continue;
            if (zmq_recv(items[number].socket, answer, sizeof answer, ZMQ_DONTWAIT) < 0) continue;
            now = nanoseconds();
            append(&times, now - clients[number].asked);
            ask(&clients[number]);
        }
    }
    double took = (double)(now - started) / 1e9;
    qsort(times.all, times.count, sizeof *times.all, ascending);
    printf(
        "%.0f %.1f %.1f\n", (double)times.count / took, (double)times.all[times.count / 2] / 1e3,
        (double)times.all[times.count * 99 / 100] / 1e3);
}

int main(int count, char **arguments) {
    int workers = count == 4 ? atoi(arguments[1]) : -1;
    int clients = count == 4 ? atoi(arguments[2]) : 0;
    if (workers < 0 || workers > 64 || clients < 1 || clients > most_clients) {
        fprintf(stderr, "usage: MessageFloor WORKERS CLIENTS SECONDS\n");
        return 2;
    }
    char folder[] = "/tmp/floor.XXXXXX", path[64];
    if (!mkdtemp(folder)) return 1;
    snprintf(back, sizeof back, "ipc://%s/back", folder);
    pid_t processes[65];
    int ends[2];
    if (pipe(ends)) return 1;
    for (int number = 0; number <= workers; number++) {
        processes[number] = fork();
        if (processes[number]) continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (number == 0) broker(workers, ends[1]);
        worker(number - 1);
    }
    if (read(ends[0], front, sizeof front) != sizeof front) return 1;
    usleep(500000);
    measure(clients, atof(arguments[3]));
    for (int number = 0; number <= workers; number++) {
        kill(processes[number], SIGKILL);
        waitpid(processes[number], NULL, 0);
    }
    snprintf(path, sizeof path, "%s/back", folder);
    unlink(path);
    rmdir(folder);
    return 0;
}
