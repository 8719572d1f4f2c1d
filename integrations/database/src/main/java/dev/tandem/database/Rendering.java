package dev.tandem.database;

import java.util.concurrent.atomic.LongAdder;

/// The render stage, and its counters. It runs without a connection and, by the server's rule,
/// without a worker slot as long as few do so; beyond that admission decides, which finds by
/// measurement how many are useful, whether templates compute or wait. It uses the data stage's
/// thread, because changing threads costs more than it would gain. Safe for use by any thread.
final class Rendering {
    private final Templates templates;
    private final LongAdder started = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder held = new LongAdder();
    private final LongAdder late = new LongAdder();

    Rendering(Templates templates) {
        this.templates = templates;
    }

    /// @return the page in UTF-8
    byte[] render(View.Page page, Stage stage) throws Exception {
        var writer = new PageWriter();
        long begin = System.nanoTime();
        started.increment();
        held.add(stage.heldCount());
        try {
            templates.render(page.template(), page.model(), writer);
        } finally {
            nanos.add(System.nanoTime() - begin);
            finished.increment();
            late.add(stage.lateCount());
        }
        return writer.utf8();
    }

    Staged.Counts counts() {
        // Read before those that have started, so that the difference is never negative.
        long ended = finished.sum();
        return new Staged.Counts(
                ended, nanos.sum(), held.sum(), late.sum(), (int) (started.sum() - ended));
    }
}
