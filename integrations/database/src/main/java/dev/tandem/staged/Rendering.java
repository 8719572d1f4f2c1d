package dev.tandem.staged;

import java.util.concurrent.atomic.LongAdder;

/// The render stage, and its figures. It runs in no connection's place and, by the server's rule,
/// in no worker's as long as few do so; beyond that admission decides, which knows by trial how
/// many are of use, whether templates compute or wait. The thread is the data stage's: a change of
/// threads costs more than it would buy. Safe for use by any thread.
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
        long ended =
                finished.sum(); // before those that have begun, so that none are fewer than none
        return new Staged.Counts(
                ended, nanos.sum(), held.sum(), late.sum(), (int) (started.sum() - ended));
    }
}
