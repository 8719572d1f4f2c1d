package dev.tandem.engine;

import java.util.concurrent.atomic.AtomicInteger;

/// Identifies one kind of state that a protocol keeps with each thread, in the thread's
/// [IoContext]: decoders and encoders, for example. Created once, as a constant of the class of
/// that state.
///
/// @param type the type of the state
/// @param index the position of the state among those of a context, from 0
public record ContextKey<T>(Class<T> type, int index) {
    private static final AtomicInteger COUNT = new AtomicInteger();

    public static <T> ContextKey<T> of(Class<T> type) {
        return new ContextKey<>(type, COUNT.getAndIncrement());
    }
}
