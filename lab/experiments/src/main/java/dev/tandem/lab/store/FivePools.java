package dev.tandem.lab.store;

import dev.tandem.bookstore.Serving;
import dev.tandem.database.DataPage;
import dev.tandem.database.Page;
import dev.tandem.database.View;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import java.sql.Connection;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/// The five pools of Courtwright, Yue and Wang (DSN 2009): heads are parsed by the server's loops;
/// static parts are sent by a pool of their own; data is made by two pools whose threads are as
/// many as there are connections, for general and for lengthy requests; pages are rendered by a
/// fifth.
///
/// A page is lengthy if its data takes longer on average than the data of all pages. Quick ones go
/// to the general pool; lengthy ones too, while more of its threads are spare than are reserved
/// (t_spare, t_reserve), else to the lengthy pool, whose threads are a fifth of all, as in the
/// paper. Each second the reserve grows by its shortage of spare threads, or shrinks by half of the
/// surplus of spare threads, not below its minimum: a quarter of the general pool. Safe for use by
/// any thread.
///
/// The request's virtual thread waits meanwhile: it represents the paper's queue entry.
final class FivePools implements Serving, AutoCloseable {
    private static final int LENGTHY_PART = 5;
    private static final int RESERVE_PART = 4;

    /// Per connection: as many as are useful where views take longer than their data, too.
    private static final int RENDERING_PART = 4;

    private final DataSource pool;
    private final PageRenderer rendered;
    private final SimulatedDelays delays;
    private final ThreadPoolExecutor general;
    private final ThreadPoolExecutor lengthy;
    private final ThreadPoolExecutor rendering;
    private final ThreadPoolExecutor statics;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Mean all = new Mean();
    private volatile int reserve;

    /// @param connections of the pool, at least 2
    FivePools(DataSource pool, int connections, PageRenderer rendered, SimulatedDelays delays) {
        this.pool = pool;
        this.rendered = rendered;
        this.delays = delays;
        int slow = Math.max(1, connections / LENGTHY_PART);
        general = threads(connections - slow);
        lengthy = threads(slow);
        rendering = threads(RENDERING_PART * connections);
        statics = threads(connections);
        reserve = reserveLeast();
        timer.scheduleAtFixedRate(this::adapt, 1, 1, TimeUnit.SECONDS);
    }

    private static ThreadPoolExecutor threads(int count) {
        return (ThreadPoolExecutor) Executors.newFixedThreadPool(count);
    }

    private int reserveLeast() {
        return Math.max(1, general.getCorePoolSize() / RESERVE_PART);
    }

    private int spare() {
        int busy = general.getActiveCount() + general.getQueue().size();
        return Math.max(0, general.getCorePoolSize() - busy);
    }

    private void adapt() {
        int spare = spare();
        int missing = reserve - spare;
        int next = missing > 0 ? reserve + missing : reserve + missing / 2;
        reserve = Math.clamp(next, reserveLeast(), general.getCorePoolSize());
    }

    /// A mean of about the last hundred times. Written without synchronization: a lost update has
    /// no lasting effect.
    private static final class Mean {
        private static final double PART = 0.01;

        private volatile double nanos;

        void add(long took) {
            double before = nanos;
            nanos = before == 0 ? took : before + PART * (took - before);
        }
    }

    @Override
    public Handler page(Page page) {
        return x -> show(x, page.data(x));
    }

    @Override
    public Handler page(DataPage near) {
        DataPage page = delays.of(near);
        var mean = new Mean();
        return x -> {
            boolean isGeneral = mean.nanos <= all.nanos || spare() > reserve;
            Future<View> made = (isGeneral ? general : lengthy).submit(() -> data(x, page, mean));
            show(x, await(made));
        };
    }

    @Override
    public Handler fixed(Handler handler) {
        return x -> {
            Callable<Boolean> task =
                    () -> {
                        handler.handle(x);
                        return true;
                    };
            await(statics.submit(task));
        };
    }

    private View data(Exchange x, DataPage page, Mean mean) throws Exception {
        long begin = System.nanoTime();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            View view = page.data(x, connection);
            connection.commit();
            connection.setAutoCommit(true);
            return view;
        } finally {
            long took = System.nanoTime() - begin;
            mean.add(took);
            all.add(took);
        }
    }

    private void show(Exchange x, View view) throws Exception {
        if (view instanceof View.Page page) {
            Callable<byte[]> task = () -> rendered.render(page, 0);
            PageRenderer.send(x, page.status(), await(rendering.submit(task)));
        } else {
            rendered.send(x, view, 0);
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        general.shutdownNow();
        lengthy.shutdownNow();
        rendering.shutdownNow();
        statics.shutdownNow();
    }
}
