package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgendaTest {
    private final Agenda agenda = new Agenda();
    private final List<Long> told = new ArrayList<>();

    @Test
    void tellsWhatIsDueInItsOrder() {
        agenda.add(30, told::add);
        agenda.add(10, told::add);
        agenda.add(20, told::add);
        agenda.tell(5);
        assertEquals(List.of(), told);
        assertEquals(5, agenda.waitNanos(5));
        agenda.tell(20);
        assertEquals(List.of(10L, 20L), told);
        agenda.tell(99);
        assertEquals(List.of(10L, 20L, 30L), told);
        assertEquals(-1, agenda.waitNanos(99));
    }

    @Test
    void whatIsAddedMeanwhileWaitsForTheNextTurn() {
        agenda.add(10, at -> agenda.add(at, told::add));
        agenda.tell(10);
        assertEquals(List.of(), told);
        assertEquals(0, agenda.waitNanos(10));
        agenda.tell(10);
        assertEquals(List.of(10L), told);
    }

    /// As nanoseconds do after 292 years, or from an origin that is negative.
    @Test
    void timeMayOverflow() {
        agenda.add(Long.MIN_VALUE + 5, told::add);
        agenda.add(Long.MAX_VALUE - 5, told::add);
        agenda.tell(Long.MAX_VALUE);
        assertEquals(List.of(Long.MAX_VALUE - 5), told);
        agenda.tell(Long.MIN_VALUE + 10);
        assertEquals(2, told.size());
    }
}
