/* A stand-in for a CUDA device with nvCOMP 6, for the tests of GpuEngine: the C functions that it
 * calls, with the same parameters, on threads of this process. Pages have LZ4's block format, or are
 * frames of Zstandard with a raw or a repeated block.
 *
 * "Device" memory is memory of the host whose address is shifted, so that a host pointer given in
 * place of a device's is found, and the reverse. Work of a stream is done by a thread of its own,
 * so that a buffer that is used too early is found by wrong bytes. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHIFT (1ull << 52)
#define INVALID 1
#define OUT_OF_MEMORY 2
#define NO_DEVICE 100
#define NOT_READY 600
#define ILLEGAL_ADDRESS 700

enum fault {
    NONE, NO_DEVICES, OLD_VERSION, MALLOC, COPY, LAUNCH, LATE_ERROR, WRONG_BYTES, WRONG_LENGTH,
    STATUS, HANG, HANG_IN_CALL, HANG_AT_START
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int fault, after, live, largest;
static long compressed, decompressed;

/* Injects a fault at the call of its kind after the next `skip`. */
void standin_fault(int kind, int skip) {
    pthread_mutex_lock(&lock);
    fault = kind, after = skip;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int standin_live(void) { return live; }
int standin_largest(void) { return largest; }
long standin_compressed(void) { return compressed; }
long standin_decompressed(void) { return decompressed; }

static int fails(enum fault kind) {
    pthread_mutex_lock(&lock);
    int now = fault == (int) kind && after-- <= 0;
    pthread_mutex_unlock(&lock);
    return now;
}

static void hang_while(enum fault kind) {
    pthread_mutex_lock(&lock);
    while (fault == (int) kind) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void count(int by) {
    pthread_mutex_lock(&lock);
    live += by;
    pthread_mutex_unlock(&lock);
}

static int is_device(const void *p) { return ((uint64_t) p & SHIFT) != 0; }
static void *host(const void *p) { return (void *) ((uint64_t) p & ~SHIFT); }

/* --- cuda_runtime_api.h --- */

static __thread int has_device;

int cudaGetDeviceCount(int *result) {
    if (fails(NO_DEVICES)) return NO_DEVICE;
    if (fails(HANG_AT_START)) hang_while(HANG_AT_START);
    *result = 1;
    return 0;
}

int cudaSetDevice(int device) { has_device = 1; return device == 0 ? 0 : INVALID; }

const char *cudaGetErrorString(int error) {
    return error == OUT_OF_MEMORY ? "out of memory"
            : error == NO_DEVICE ? "no CUDA-capable device is detected" : "unspecified launch failure";
}

static int allocate(void **result, size_t size, uint64_t shift) {
    void *memory = NULL;
    if (!has_device) return INVALID;
    if (fails(HANG_AT_START)) hang_while(HANG_AT_START);
    if (fails(MALLOC) || posix_memalign(&memory, 256, size)) return OUT_OF_MEMORY;
    memset(memory, 0xA5, size);
    count(1);
    *result = (void *) ((uint64_t) memory | shift);
    return 0;
}

int cudaMalloc(void **result, size_t size) { return allocate(result, size, SHIFT); }
int cudaMallocHost(void **result, size_t size) { return allocate(result, size, 0); }

int cudaFree(void *p) {
    if (!is_device(p)) return INVALID;
    free(host(p));
    count(-1);
    return 0;
}

int cudaFreeHost(void *p) {
    if (is_device(p)) return INVALID;
    free(p);
    count(-1);
    return 0;
}

struct work {
    void (*run)(struct work *);
    void *to;
    const void *from;
    size_t size;
    const void *const *in;
    const size_t *in_sizes, *out_maxima;
    void *const *out;
    size_t *out_sizes;
    int *statuses;
    struct work *next;
};

struct stream {
    pthread_t thread;
    struct work *first, **last;
    int busy, ended, error;
};

static void *serve(void *argument) {
    struct stream *s = argument;
    pthread_mutex_lock(&lock);
    while (1) {
        while (!s->first && !s->ended) pthread_cond_wait(&changed, &lock);
        struct work *w = s->first;
        if (!w) break;
        pthread_mutex_unlock(&lock);
        if (fails(HANG)) hang_while(HANG);
        w->run(w);
        pthread_mutex_lock(&lock);
        if (fault == LATE_ERROR && after-- <= 0) s->error = ILLEGAL_ADDRESS;
        s->first = w->next;
        if (!s->first) s->last = &s->first;
        s->busy--;
        free(w);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int queue(struct stream *s, struct work w) {
    struct work *copy = malloc(sizeof w);
    *copy = w;
    copy->next = NULL;
    pthread_mutex_lock(&lock);
    *s->last = copy;
    s->last = &copy->next;
    s->busy++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int cudaStreamCreateWithFlags(struct stream **result, unsigned flags) {
    if (!has_device || flags != 1) return INVALID;
    struct stream *s = calloc(1, sizeof *s);
    s->last = &s->first;
    pthread_create(&s->thread, NULL, serve, s);
    count(1);
    *result = s;
    return 0;
}

int cudaStreamQuery(struct stream *s) {
    pthread_mutex_lock(&lock);
    int status = s->error ? s->error : s->busy ? NOT_READY : 0;
    pthread_mutex_unlock(&lock);
    return has_device ? status : INVALID;
}

int cudaStreamDestroy(struct stream *s) {
    pthread_mutex_lock(&lock);
    s->ended = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(s->thread, NULL);
    free(s);
    count(-1);
    return 0;
}

static void copy(struct work *w) { memcpy(host(w->to), host(w->from), w->size); }

int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, struct stream *s) {
    if (!has_device || is_device(to) != (kind == 1) || is_device(from) != (kind == 2)) return INVALID;
    if (fails(COPY)) return ILLEGAL_ADDRESS;
    return queue(s, (struct work) {.run = copy, .to = to, .from = from, .size = size});
}

/* --- LZ4's block format --- */

static size_t extended(uint8_t *to, size_t at, size_t length) {
    for (; length >= 255; length -= 255) to[at++] = 255;
    to[at++] = (uint8_t) length;
    return at;
}

static size_t sequence(uint8_t *to, size_t at, const uint8_t *literals, size_t n, size_t offset, size_t match) {
    size_t extra = offset ? match - 4 : 0;
    to[at++] = (uint8_t) ((n < 15 ? n : 15) << 4 | (extra < 15 ? extra : 15));
    if (n >= 15) at = extended(to, at, n - 15);
    memcpy(to + at, literals, n);
    at += n;
    if (!offset) return at;
    to[at++] = (uint8_t) offset, to[at++] = (uint8_t) (offset >> 8);
    return extra >= 15 ? extended(to, at, extra - 15) : at;
}

static size_t lz4_compress(const uint8_t *from, size_t n, uint8_t *to) {
    uint32_t table[4096] = {0};
    size_t at = 0, anchor = 0, i = 1;
    while (n > 12 && i < n - 12) {
        uint32_t word;
        memcpy(&word, from + i, 4);
        uint32_t *slot = &table[word * 2654435761u >> 20];
        size_t candidate = *slot;
        *slot = (uint32_t) i;
        if (i - candidate > 65535 || memcmp(from + candidate, from + i, 4)) {
            i++;
            continue;
        }
        size_t match = 4;
        while (i + match < n - 5 && from[candidate + match] == from[i + match]) match++;
        at = sequence(to, at, from + anchor, i - anchor, i - candidate, match);
        i += match, anchor = i;
    }
    return sequence(to, at, from + anchor, n - anchor, 0, 0);
}

/* Returns the length, or -1 if the input is corrupt. */
static long lz4_decompress(const uint8_t *from, size_t n, uint8_t *to, size_t max) {
    size_t i = 0, at = 0;
    while (i < n) {
        uint8_t token = from[i++];
        size_t length = token >> 4;
        if (length == 15) {
            do {
                if (i == n) return -1;
                length += from[i];
            } while (from[i++] == 255);
        }
        if (length > n - i || length > max - at) return -1;
        memcpy(to + at, from + i, length);
        i += length, at += length;
        if (i == n) return (long) at;
        if (n - i < 2) return -1;
        size_t offset = from[i] | from[i + 1] << 8;
        i += 2, length = (token & 15) + 4;
        if ((token & 15) == 15) {
            do {
                if (i == n) return -1;
                length += from[i];
            } while (from[i++] == 255);
        }
        if (!offset || offset > at || length > max - at) return -1;
        for (; length; length--, at++) to[at] = to[at - offset];
    }
    return -1;
}

/* --- Zstandard: one frame with one block, raw or of one byte repeated (RFC 8878, 3.1.1) --- */

#define FRAME_HEAD 12

static size_t zstd_compress(const uint8_t *from, size_t n, uint8_t *to) {
    int is_repeated = !memcmp(from, from + 1, n - 1);
    uint32_t block = (uint32_t) n << 3 | (is_repeated ? 3 : 1), size = (uint32_t) n;
    memcpy(to, "\x28\xB5\x2F\xFD\xA0", 5);
    memcpy(to + 5, &size, 4);
    memcpy(to + 9, &block, 3);
    memcpy(to + FRAME_HEAD, from, is_repeated ? 1 : n);
    return FRAME_HEAD + (is_repeated ? 1 : n);
}

static long zstd_decompress(const uint8_t *from, size_t n, uint8_t *to, size_t max) {
    if (n <= FRAME_HEAD || memcmp(from, "\x28\xB5\x2F\xFD\xA0", 5)) return -1;
    uint32_t size;
    memcpy(&size, from + 5, 4);
    if (size > max || ((from[9] & 6) == 0 && n < FRAME_HEAD + size)) return -1;
    if (from[9] & 2) memset(to, from[FRAME_HEAD], size);
    else memcpy(to, from + FRAME_HEAD, size);
    return size;
}

/* --- nvcomp.h, shared_types.h, lz4.h, zstd.h --- */

struct options { char bytes[64]; };

int nvcompGetProperties(uint32_t *result) {
    result[0] = fails(OLD_VERSION) ? 5100 : 6000;
    result[1] = 12090;
    return 0;
}

static int is_default(struct options o) {
    static const struct options zero;
    return !memcmp(&o, &zero, sizeof o);
}

static void begin(struct work *w) {
    pthread_mutex_lock(&lock);
    if ((int) w->size > largest) largest = (int) w->size;
    pthread_mutex_unlock(&lock);
}

static void end(struct work *w, long *counter) {
    int *statuses = host(w->statuses);
    uint64_t *sizes = host(w->out_sizes);
    pthread_mutex_lock(&lock);
    *counter += (long) w->size;
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < w->size; i++) {
        if (fails(WRONG_BYTES)) ((uint8_t *) host(((void **) host(w->out))[i]))[sizes[i] / 2] ^= 1;
        if (fails(WRONG_LENGTH)) sizes[i] = 1ull << 40;
        if (fails(STATUS)) statuses[i] = 12;
    }
}

typedef size_t compressor(const uint8_t *, size_t, uint8_t *);
typedef long decompressor(const uint8_t *, size_t, uint8_t *, size_t);

static void compress_all(struct work *w, compressor *by) {
    begin(w);
    const void **in = host(w->in);
    void **out = host(w->out);
    uint64_t *in_sizes = host(w->in_sizes), *out_sizes = host(w->out_sizes);
    int *statuses = host(w->statuses);
    for (size_t i = 0; i < w->size; i++) {
        out_sizes[i] = by(host(in[i]), in_sizes[i], host(out[i]));
        statuses[i] = is_device(in[i]) && is_device(out[i]) ? 0 : 10;
    }
    end(w, &compressed);
}

static void decompress_all(struct work *w, decompressor *by) {
    begin(w);
    const void **in = host(w->in);
    void **out = host(w->out);
    uint64_t *in_sizes = host(w->in_sizes), *maxima = host(w->out_maxima), *sizes = host(w->out_sizes);
    int *statuses = host(w->statuses);
    for (size_t i = 0; i < w->size; i++) {
        long length = by(host(in[i]), in_sizes[i], host(out[i]), maxima[i]);
        sizes[i] = length < 0 ? 0 : (uint64_t) length;
        statuses[i] = length < 0 ? 12 : is_device(in[i]) && is_device(out[i]) ? 0 : 10;
    }
    end(w, &decompressed);
}

static int launch(struct stream *s, struct options o, void *temp, size_t temp_bytes, struct work w) {
    if (!has_device || !is_default(o) || temp_bytes != 4096 || !is_device(temp)
            || !is_device(w.in) || !is_device(w.in_sizes) || !is_device(w.out)
            || !is_device(w.out_sizes) || !is_device(w.statuses))
        return 10;
    if (fails(LAUNCH)) return 1000;
    if (fails(HANG_IN_CALL)) hang_while(HANG_IN_CALL);
    return queue(s, w);
}

#define FORMAT(NAME, by_compress, by_decompress, BOUND)                                            \
    static void NAME##_c(struct work *w) { compress_all(w, by_compress); }                         \
    static void NAME##_d(struct work *w) { decompress_all(w, by_decompress); }                     \
    int nvcompBatched##NAME##CompressGetTempSize(size_t n, size_t max, struct options o,           \
            size_t *temp, size_t total, struct stream *s) {                                        \
        *temp = 4096;                                                                              \
        return is_default(o) && s && total == n * max ? 0 : 10;                                    \
    }                                                                                              \
    int nvcompBatched##NAME##DecompressGetTempSize(size_t n, size_t max, struct options o,         \
            size_t *temp, size_t total, struct stream *s) {                                        \
        *temp = 100;                                                                               \
        return is_default(o) && s && total == n * max ? 0 : 10;                                    \
    }                                                                                              \
    int nvcompBatched##NAME##CompressGetMaxOutputChunkSize(size_t max, struct options o,           \
            size_t *result) {                                                                      \
        *result = max + BOUND;                                                                     \
        return is_default(o) ? 0 : 10;                                                             \
    }                                                                                              \
    int nvcompBatched##NAME##CompressAsync(const void *const *in, const size_t *in_sizes,          \
            size_t max, size_t n, void *temp, size_t temp_bytes, void *const *out,                 \
            size_t *out_sizes, struct options o, int *statuses, struct stream *s) {                \
        return max ? launch(s, o, temp, temp_bytes, (struct work) {.run = NAME##_c, .size = n,     \
                .in = in, .in_sizes = in_sizes, .out = out, .out_sizes = out_sizes,                \
                .statuses = statuses}) : 10;                                                       \
    }                                                                                              \
    int nvcompBatched##NAME##DecompressAsync(const void *const *in, const size_t *in_sizes,        \
            const size_t *maxima, size_t *out_sizes, size_t n, void *temp, size_t temp_bytes,      \
            void *const *out, struct options o, int *statuses, struct stream *s) {                 \
        return is_device(maxima) ? launch(s, o, temp, temp_bytes, (struct work) {                  \
                .run = NAME##_d, .size = n, .in = in, .in_sizes = in_sizes,                        \
                .out_maxima = maxima, .out = out, .out_sizes = out_sizes,                          \
                .statuses = statuses}) : 10;                                                       \
    }

FORMAT(LZ4, lz4_compress, lz4_decompress, max / 255 + 16)
FORMAT(Zstd, zstd_compress, zstd_decompress, 64)
