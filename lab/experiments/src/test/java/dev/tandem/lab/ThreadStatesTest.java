package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ThreadStatesTest {
    @ParameterizedTest
    @CsvSource({
        "futex_do_wait, WAITING",
        "futex_wait_queue, WAITING",
        "hrtimer_nanosleep, WAITING",
        "do_epoll_wait, BLOCKED",
        "poll_schedule_timeout.constprop.0, BLOCKED",
        "inet_csk_accept, BLOCKED",
        "0, NONE",
        "'', NONE"
    })
    void kernelsFunctionSaysForWhatAThreadWaits(String wchan, ThreadStates.Rest rest) {
        assertEquals(rest, ThreadStates.Rest.of(wchan));
    }

    @Test
    void timesAreThoseOfTheScheduler() {
        assertEquals(new ThreadStates.Times(34, 25), ThreadStates.Times.of("34 25 155\n"));
        assertEquals(new ThreadStates.Times(0, 0), ThreadStates.Times.of(""));
    }

    @Test
    void threadsOfTheJvmItselfDoNotCount() {
        assertFalse(ThreadStates.isOfServer("C2 CompilerThre"));
        assertFalse(ThreadStates.isOfServer("GC Thread#0"));
        assertFalse(ThreadStates.isOfServer(""));
        assertTrue(ThreadStates.isOfServer("http-bio-127.0."));
        assertTrue(ThreadStates.isOfServer("apache2"));
    }

    /// `cat` waits for input as a thread that reads a connection does; `sleep` is its child.
    @Test
    void processAndItsDescendantsAreWatched() throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "sleep 60 & cat; kill $!").start();
        try {
            Map<String, Double> figures = Map.of();
            for (int i = 0; i < 100 && !isThere(figures); i++) {
                var states = ThreadStates.of(shell.toHandle(), 0);
                Thread.sleep(300);
                figures = states.end();
            }
            assertTrue(isThere(figures), figures.toString());
            assertTrue(figures.getOrDefault(ThreadStates.RUNNABLE, 9.0) < 1, figures.toString());
        } finally {
            shell.getOutputStream().close();
            shell.waitFor();
        }
    }

    /// The shell waits for `cat`, and `cat` for input; `sleep` sleeps.
    private static boolean isThere(Map<String, Double> figures) {
        return figures.getOrDefault(ThreadStates.BLOCKED, 0.0) >= 2
                && figures.getOrDefault(ThreadStates.WAITING, 0.0) >= 1;
    }

    @Test
    void looksTakeNoMoreThanTheirPartOfTheProcessor() {
        assertEquals(200, ThreadStates.pauseMillis(TimeUnit.MICROSECONDS.toNanos(100)));
        assertEquals(1_176, ThreadStates.pauseMillis(TimeUnit.MILLISECONDS.toNanos(24)));
    }

    @Test
    void measurementWithoutALookHasNoFigures() throws Exception {
        var states = ThreadStates.of(ProcessHandle.current(), 3_600);
        assertEquals(Map.of(), states.end());
    }
}
