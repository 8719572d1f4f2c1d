package dev.tandem.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.workloads.PageGraph.Remainder;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageGraphTest {
    @Test
    void readsRows() {
        var graph = read(Remainder.END, "# a comment", "home,list,0.5,(end),0.25", "list,home,1");
        assertEquals("home", graph.start());
        assertEquals(List.of("home", "list"), graph.pages());
        assertEquals(
                List.of(new PageGraph.Move("list", 0.5), new PageGraph.Move("(end)", 0.25)),
                graph.moves("home"));
    }

    @ParameterizedTest
    @CsvSource({"0.0, list", "0.49, list", "0.5, (end)", "0.74, (end)", "0.75, home"})
    void firstMoveWhoseSumIsAboveIsDrawn(double drawn, String expected) {
        var graph = read(Remainder.STAY, "home,list,0.5,(end),0.25", "list,home,1");
        assertEquals(expected, graph.next("home", drawing(drawn)));
    }

    @Test
    void remainingProbabilityMayEndTheSession() {
        var graph = read(Remainder.END, "home,list,0.5", "list,home,1");
        assertEquals(PageGraph.END, graph.next("home", drawing(0.5)));
    }

    @Test
    void movesBeyondASumOfOneAreCut() {
        var graph = read(Remainder.STAY, "home,list,0.9,home,0.2,(end),0.2", "list,home,1");
        assertEquals("home", graph.next("home", drawing(0.999999)));
    }

    @Test
    void sumsBelowOneByRoundingCountAsOne() {
        var graph = read(Remainder.END, "home,home,0.7,list,0.2999999999999999", "list,home,1");
        assertEquals("list", graph.next("home", drawing(Math.nextDown(1.0))));
    }

    @Test
    void historyIsFollowedBackAndClearedAtPagesWithoutAMoveBack() {
        var graph =
                read(
                        Remainder.END,
                        "home,list,1",
                        "list,(back),0.2,item,0.8",
                        "item,(back),0.5,seller,0.4,form,0.1",
                        "seller,(back),1",
                        "form,item,0.9,(end),0.1");
        // list, item, seller, back to item, back to list, item, form, item, back to form, end.
        double[] drawn = {0, 0.9, 0.6, 0, 0, 0.9, 0.95, 0, 0, 0.99};
        var pages = new ArrayList<String>();
        new PageWalk(graph, drawing(drawn)).forEachRemaining(pages::add);
        assertEquals(
                List.of(
                        "home", "list", "item", "seller", "item", "list", "item", "form", "item",
                        "form"),
                pages);
    }

    @Test
    void finishedWalkHasNoNext() {
        var walk = new PageWalk(read(Remainder.END, "home"), new SplittableRandom(1));
        assertEquals("home", walk.next());
        assertThrows(NoSuchElementException.class, walk::next);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "home,list|a page without its probability in: home,list",
                "home,home,x|not a probability: 'x' in: home,home,x",
                "home,home,1.5|probability must be 0 to 1, was 1.5",
                "home,list,1|there is no row of page 'list'",
                "list,list,1|there is no row of page 'home'"
            })
    void invalidGraphIsRejected(String line, String message) {
        var exception =
                assertThrows(IllegalArgumentException.class, () -> read(Remainder.END, line));
        assertEquals(message, exception.getMessage());
    }

    @Test
    void secondRowOfAPageIsRejected() {
        var exception =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> read(Remainder.END, "home,home,1", "home,home,1"));
        assertTrue(exception.toString().contains("a second row of home"));
    }

    private static PageGraph read(Remainder rest, String... lines) {
        return PageGraph.read("home", rest, List.of(lines));
    }

    /// Returns these numbers, one after the other.
    private static RandomGenerator drawing(double... numbers) {
        return new RandomGenerator() {
            private int next;

            @Override
            public long nextLong() {
                throw new UnsupportedOperationException();
            }

            @Override
            public double nextDouble() {
                return numbers[next++];
            }
        };
    }
}
