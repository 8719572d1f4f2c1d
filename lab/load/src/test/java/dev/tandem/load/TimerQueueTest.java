package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimerQueueTest {
    private final TimerQueue agenda = new TimerQueue();
    private final List<Long> fired = new ArrayList<>();

    @Test
    void dueTimersFireInOrder() {
        agenda.add(30, fired::add);
        agenda.add(10, fired::add);
        agenda.add(20, fired::add);
        agenda.fireDue(5);
        assertEquals(List.of(), fired);
        assertEquals(5, agenda.waitNanos(5));
        agenda.fireDue(20);
        assertEquals(List.of(10L, 20L), fired);
        agenda.fireDue(99);
        assertEquals(List.of(10L, 20L, 30L), fired);
        assertEquals(-1, agenda.waitNanos(99));
    }

    @Test
    void timersAddedWhileOthersFireWaitForTheNextCall() {
        agenda.add(10, at -> agenda.add(at, fired::add));
        agenda.fireDue(10);
        assertEquals(List.of(), fired);
        assertEquals(0, agenda.waitNanos(10));
        agenda.fireDue(10);
        assertEquals(List.of(10L), fired);
    }

    /// The clock overflows after 292 years, or starts from a negative origin.
    @Test
    void clockMayOverflow() {
        agenda.add(Long.MIN_VALUE + 5, fired::add);
        agenda.add(Long.MAX_VALUE - 5, fired::add);
        agenda.fireDue(Long.MAX_VALUE);
        assertEquals(List.of(Long.MAX_VALUE - 5), fired);
        agenda.fireDue(Long.MIN_VALUE + 10);
        assertEquals(2, fired.size());
    }
}
