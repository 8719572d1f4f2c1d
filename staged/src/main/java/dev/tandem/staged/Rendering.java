package dev.tandem.staged;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/// The render stage: its lane, and its figures. Rendering computes and waits for nothing, so that
/// more at a time than twice the processors would only be slower, each with a page in memory. The
/// thread is the data stage's: a change of threads costs more than it would buy. Safe for use by
/// any thread.
final class Rendering {
    private static final int AT_A_TIME = 2 * Runtime.getRuntime().availableProcessors();

    private final Templates templates;
    private final Semaphore lane = new Semaphore(AT_A_TIME);
    private final LongAdder pages = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder held = new LongAdder();
    private final LongAdder late = new LongAdder();

    Rendering(Templates templates) {
        this.templates = templates;
    }

    /// @return the page in UTF-8
    byte[] render(View.Page page, Stage stage) throws Exception {
        var writer = new PageWriter();
        lane.acquire();
        long begin = System.nanoTime();
        held.add(stage.held());
        try {
            templates.render(page.template(), page.model(), writer);
        } finally {
            lane.release();
            nanos.add(System.nanoTime() - begin);
            pages.increment();
            late.add(stage.late());
        }
        return writer.utf8();
    }

    Staged.Counts counts() {
        return new Staged.Counts(
                pages.sum(),
                nanos.sum(),
                held.sum(),
                late.sum(),
                AT_A_TIME - lane.availablePermits(),
                lane.getQueueLength());
    }
}
