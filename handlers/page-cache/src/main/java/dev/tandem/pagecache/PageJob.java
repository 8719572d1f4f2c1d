package dev.tandem.pagecache;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/// A page for a [CompressionEngine] to compress or decompress. The engine gets a copy of the page,
/// and the cache copies the result; so an engine that is late, or writes where it should not,
/// changes
/// nothing that is sent. Thread safe.
public final class PageJob {
    /// What to do with a page.
    public enum Operation {
        /// The page is to be compressed in the codec's format.
        COMPRESS,
        /// The page is in the codec's format.
        DECOMPRESS
    }

    /// Receives the outcome, once. Does not block.
    public interface Receiver {
        /// Receives the result.
        ///
        /// @param result of a possible length; valid during the call
        /// @param processorNanos as in [PageJob#complete]
        void completed(ByteBuffer result, long processorNanos);

        /// The engine has failed.
        void failed(Throwable cause);
    }

    private final Operation operation;
    private final ByteBuffer input;
    private final int resultMax;
    private final Receiver receiver;
    private final AtomicBoolean isOver = new AtomicBoolean();

    /// @param input between position and limit
    /// @param resultMax when compressing, the maximum length; else the exact one
    PageJob(Operation operation, ByteBuffer input, int resultMax, Receiver receiver) {
        this.operation = operation;
        this.input = input;
        this.resultMax = resultMax;
        this.receiver = receiver;
    }

    /// Returns a page for an engine that is used without a cache: to test or to measure it.
    ///
    /// @param input between position and limit, direct; not changed before the page is over
    /// @param resultMax when compressing, the maximum length of the result; else the exact one
    public static PageJob of(
            Operation operation, ByteBuffer input, int resultMax, Receiver receiver) {
        return new PageJob(operation, input, resultMax, receiver);
    }

    /// Returns what to do with the page.
    public Operation operation() {
        return operation;
    }

    /// Returns the input, between position and limit; direct, read-only. Its content may change
    /// once
    /// the page is over.
    public ByteBuffer input() {
        return input.asReadOnlyBuffer();
    }

    /// Returns the maximum length of a compressed page, or the exact length of a decompressed one,
    /// in bytes.
    public int resultMax() {
        return resultMax;
    }

    /// Returns whether the page is completed, or the cache does not wait for it any more: a result
    /// would be ignored.
    public boolean isOver() {
        return isOver.get();
    }

    /// Reports the result, between position and limit, which the cache copies before this method
    /// returns. Ignored if the page is over. A result of an impossible length is a failure.
    ///
    /// @param processorNanos time of the serving processors that it has taken, at least 0
    /// @return whether the cache has taken the result
    public boolean complete(ByteBuffer result, long processorNanos) {
        if (!isOver.compareAndSet(false, true)) {
            return false;
        }
        int length = result.remaining();
        boolean isPossible =
                operation == Operation.COMPRESS
                        ? length >= 1 && length <= resultMax
                        : length == resultMax;
        if (isPossible) {
            receiver.completed(result, Math.max(0, processorNanos));
        } else {
            receiver.failed(
                    new IllegalStateException(
                            "an engine returned " + length + " bytes instead of " + resultMax));
        }
        return isPossible;
    }

    /// Reports that there is no result. Ignored if the page is over.
    public void fail(Throwable cause) {
        if (isOver.compareAndSet(false, true)) {
            receiver.failed(cause);
        }
    }
}
