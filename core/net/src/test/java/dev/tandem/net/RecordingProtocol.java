package dev.tandem.net;

import java.util.ArrayList;
import java.util.List;

/// Notes what it is told. Idle unless a test says otherwise.
final class RecordingProtocol implements Protocol {
    private final Connection connection;
    private final List<String> told = new ArrayList<>();
    private boolean isBusy;
    private boolean isAsking;
    private Runnable onReadable = () -> {};

    RecordingProtocol(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    /// What it was told since this was asked last.
    List<String> told() {
        List<String> now = List.copyOf(told);
        told.clear();
        return now;
    }

    void busy(boolean isBusy) {
        this.isBusy = isBusy;
    }

    /// Has begun to ask for something.
    void asking() {
        isAsking = true;
    }

    void onReadable(Runnable action) {
        onReadable = action;
    }

    @Override
    public void readable() {
        told.add("readable");
        onReadable.run();
    }

    @Override
    public void writable() {
        told.add("writable");
    }

    @Override
    public void watchedEvent(int operations) {
        told.add("noticed " + operations);
    }

    @Override
    public void expired() {
        told.add("expired");
    }

    @Override
    public boolean isIdle() {
        return !isBusy && !isAsking;
    }

    @Override
    public boolean isAwaitingRequest() {
        return !isBusy;
    }

    @Override
    public void stopping() {
        told.add("stopping");
    }

    @Override
    public void closed() {
        told.add("closed");
    }
}
