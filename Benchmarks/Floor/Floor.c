// The floor under every answer of a cluster: the same fan-out of messages without any search. A
// client's DEALER asks a ROUTER, which asks every worker's DEALER through a second ROUTER, waits
// for all of them and answers. Bare libzmq, no decoding, no copies beyond what routing needs; TCP
// to clients and local sockets to workers, as `fresnel up` has them.
//
//   MessageFloor WORKERS CLIENTS SECONDS  →  queries a second, p50 and p99 in microseconds

#include <signal.h>
#include <pthread.h>
#include <stdatomic.h>
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
static atomic_int is_over;

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
    pthread_t thread;
    void *context;
    int number;
    int64_t *times;
    size_t count, capacity;
};

static void *ask(void *argument) {
    struct client *client = argument;
    void *socket = zmq_socket(client->context, ZMQ_DEALER);
    int linger = 0;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    zmq_connect(socket, front);
    uint8_t question[question_bytes] = {(uint8_t)client->number}, answer[frame_bytes];
    while (!atomic_load(&is_over)) {
        int64_t started = nanoseconds();
        zmq_send(socket, question, sizeof question, 0);
        if (zmq_recv(socket, answer, sizeof answer, 0) < 0) break;
        if (client->count == client->capacity) {
            client->capacity = client->capacity ? 2 * client->capacity : 1 << 16;
            client->times = realloc(client->times, client->capacity * sizeof *client->times);
            if (!client->times) abort();
        }
        client->times[client->count++] = nanoseconds() - started;
    }
    zmq_close(socket);
    return NULL;
}

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void measure(int count, double seconds) {
    void *context = zmq_ctx_new();
    struct client *clients = calloc((size_t)count, sizeof *clients);
    if (!clients) abort();
    int64_t started = nanoseconds();
    for (int number = 0; number < count; number++) {
        clients[number].context = context;
        clients[number].number = number;
        pthread_create(&clients[number].thread, NULL, ask, &clients[number]);
    }
    usleep((useconds_t)(seconds * 1e6));
    atomic_store(&is_over, 1);
    size_t total = 0;
    for (int number = 0; number < count; number++) {
        pthread_join(clients[number].thread, NULL);
        total += clients[number].count;
    }
    double took = (double)(nanoseconds() - started) / 1e9;
    int64_t *times = malloc((total + 1) * sizeof *times), *next = times;
    if (!times || !total) abort();
    for (int number = 0; number < count; number++) {
        memcpy(next, clients[number].times, clients[number].count * sizeof *times);
        next += clients[number].count;
    }
    qsort(times, total, sizeof *times, ascending);
    printf(
        "%.0f %.1f %.1f\n", (double)total / took, (double)times[total / 2] / 1e3,
        (double)times[total * 99 / 100] / 1e3);
}

int main(int count, char **arguments) {
    int workers = count == 4 ? atoi(arguments[1]) : 0;
    int clients = count == 4 ? atoi(arguments[2]) : 0;
    if (workers < 1 || workers > 64 || clients < 1 || clients > most_clients) {
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
