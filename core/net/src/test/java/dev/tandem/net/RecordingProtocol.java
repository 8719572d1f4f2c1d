package dev.tandem.net;

import java.util.ArrayList;
import java.util.List;

/// Records its notifications. Idle unless a test sets it otherwise.
final class RecordingProtocol implements Protocol {
    private final Connection connection;
    private final List<String> events = new ArrayList<>();
    private boolean isBusy;
    private int looks;
    private boolean isAsking;
    private boolean isFailingWhenClosed;
    private Runnable onReadable = () -> {};
    private Runnable onExpired = () -> {};
    private Runnable onStopping = () -> {};
    private Runnable onClosed = () -> {};

    RecordingProtocol(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    /// Returns the notifications since the last call.
    List<String> events() {
        List<String> now = List.copyOf(events);
        events.clear();
        return now;
    }

    /// Returns how often it was asked whether it is idle.
    int looks() {
        return looks;
    }

    void busy(boolean isBusy) {
        this.isBusy = isBusy;
    }

    /// Simulates an incomplete request.
    void withIncompleteRequest() {
        isAsking = true;
    }

    void onReadable(Runnable action) {
        onReadable = action;
    }

    void onExpired(Runnable action) {
        onExpired = action;
    }

    void onClosed(Runnable action) {
        onClosed = action;
    }

    void onStopping(Runnable action) {
        onStopping = action;
    }

    @Override
    public void readable() {
        events.add("readable");
        onReadable.run();
    }

    @Override
    public void writable() {
        events.add("writable");
    }

    @Override
    public void watchedEvent(int operations) {
        events.add("noticed " + operations);
    }

    @Override
    public void expired() {
        events.add("expired");
        onExpired.run();
    }

    @Override
    public boolean isIdle() {
        looks++;
        return !isBusy && !isAsking;
    }

    @Override
    public boolean isAwaitingRequest() {
        return !isBusy;
    }

    @Override
    public void stopping() {
        events.add("stopping");
        onStopping.run();
    }

    void failWhenClosed() {
        isFailingWhenClosed = true;
    }

    @Override
    public void closed() {
        onClosed.run();
        events.add("closed");
        if (isFailingWhenClosed) {
            throw new OutOfMemoryError("on purpose");
        }
    }
}
