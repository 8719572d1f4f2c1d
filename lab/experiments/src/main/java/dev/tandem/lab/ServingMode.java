package dev.tandem.lab;

import dev.tandem.Options;
import dev.tandem.engine.tuning.EngineTuning;

/// How a bookstore is served, so that ways can be compared: by the same engine, templates and
/// queries.
public enum ServingMode {
    /// A thread for each request; its connection is held until its page is sent.
    THREADS("thread-per-request"),

    /// The same by virtual threads.
    VIRTUAL("virtual threads"),

    /// The fixed pools of the paper.
    FIVE_POOLS("five pools"),

    /// Data, then view, by the data lane.
    TANDEM("tandem");

    /// More than the maximum of concurrent requests: each request has its thread.
    private static final int THREADS_MAX = 2_000;

    private final String label;

    ServingMode(String label) {
        this.label = label;
    }

    /// For reports.
    public String label() {
        return label;
    }

    /// For command lines.
    public String word() {
        return label.replace(' ', '-');
    }

    /// @throws IllegalArgumentException if there is none of this word
    public static ServingMode ofWord(String word) {
        for (ServingMode way : values()) {
            if (way.word().equals(word)) {
                return way;
            }
        }
        throw new IllegalArgumentException(
                "'" + word + "' must be thread-per-request, virtual-threads, five-pools or tandem");
    }

    Options options() {
        Options onWorkers = Options.DEFAULT.withThreads(t -> t.withInPlace(false));
        return switch (this) {
            case THREADS -> onWorkers.withThreads(t -> t.withWorkersMax(THREADS_MAX));
            case VIRTUAL, FIVE_POOLS -> onWorkers.withThreads(t -> t.withVirtual(true));
            case TANDEM -> Options.DEFAULT;
        };
    }

    EngineTuning tuning() {
        return EngineTuning.DEFAULT.withAdmitting(this == TANDEM);
    }
}
