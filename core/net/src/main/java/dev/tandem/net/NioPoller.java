package dev.tandem.net;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

final class NioPoller implements Poller {
    private final Selector selector;
    /// Selected keys, removed from the selector so that another thread can continue with them.
    private final List<SelectionKey> batch = new ArrayList<>();

    private final Consumer<SelectionKey> take = batch::add;
    private int next;
    private volatile boolean isPolling;

    NioPoller() throws IOException {
        this.selector = Selector.open();
    }

    @Override
    public void add(Pollable pollable, int interest, ReadinessListener readiness)
            throws IOException {
        var nio = (NioPollable) pollable;
        try {
            nio.channel().register(selector, 0, new Watch(nio, readiness));
        } catch (ClosedSelectorException e) {
            throw new IOException("the event loop has ended", e);
        }
        setInterest(pollable, interest);
    }

    @Override
    public void setInterest(Pollable pollable, int interest) {
        var nio = (NioPollable) pollable;
        SelectionKey key = nio.channel().keyFor(selector);
        if (key == null) {
            return;
        }
        var watch = (Watch) key.attachment();
        int operations = (interest & READ) != 0 ? nio.readOperation() : 0;
        if ((interest & WRITE) != 0) {
            operations |= nio.writeOperation();
        }
        try {
            synchronized (watch) {
                watch.isOnce = (interest & ONCE) != 0;
                key.interestOps(operations);
            }
        } catch (CancelledKeyException e) {
            return; // closed meanwhile
        }
        if (operations != 0 && isPolling) {
            selector.wakeup(); // a selection in progress does not see the change
        }
    }

    @Override
    public void remove(Pollable pollable) {
        SelectionKey key = ((NioPollable) pollable).channel().keyFor(selector);
        if (key != null) {
            key.cancel();
        }
    }

    /// The descriptor of a closed channel is released only by the next selection, which may be
    /// delayed while one is in progress.
    @Override
    public void closed(Pollable pollable) {
        if (isPolling) {
            selector.wakeup();
        }
    }

    @Override
    public void poll(long timeoutNanos) throws IOException {
        isPolling = true;
        batch.clear();
        next = 0;
        if (timeoutNanos == 0) {
            selector.selectNow(take);
        } else {
            // A selector counts in milliseconds and treats 0 as no limit.
            long millis = TimeUnit.NANOSECONDS.toMillis(timeoutNanos + 999_999);
            selector.select(take, timeoutNanos < 0 ? 0 : millis);
        }
        isPolling = false;
    }

    @Override
    public boolean hasNext() {
        return next < batch.size();
    }

    @Override
    public boolean dispatchNext() {
        if (next >= batch.size()) {
            return false;
        }
        SelectionKey key = batch.get(next);
        next++;
        dispatch(key);
        return true;
    }

    private static void dispatch(SelectionKey key) {
        var watch = (Watch) key.attachment();
        int ready;
        try {
            ready = key.readyOps();
            // An interest that is set concurrently must not be cleared in place of the old one.
            synchronized (watch) {
                if (watch.isOnce) {
                    key.interestOps(0);
                }
            }
        } catch (CancelledKeyException e) {
            return;
        }
        int operations = (ready & watch.pollable.readOperation()) != 0 ? READ : NONE;
        if ((ready & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT)) != 0) {
            operations |= WRITE;
        }
        watch.readiness.ready(operations);
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            // No events are pending.
        }
    }

    private static final class Watch {
        private final NioPollable pollable;
        private final ReadinessListener readiness;
        private boolean isOnce;

        Watch(NioPollable pollable, ReadinessListener readiness) {
            this.pollable = pollable;
            this.readiness = readiness;
        }
    }
}
