package dev.tandem.workloads;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One user's path through a graph, from its start to its end. Confined to one thread.
///
/// Moves back use RUBiS' history: a page without a move back clears it; any other page keeps the
/// page before.
final class PageWalk implements Iterator<String> {
    private final PageGraph graph;
    private final RandomGenerator random;
    private final Deque<String> history = new ArrayDeque<>();

    /// Null at the end.
    private @Nullable String next;

    PageWalk(PageGraph graph, RandomGenerator random) {
        this.graph = graph;
        this.random = random;
        this.next = graph.start();
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    /// @return a page
    @Override
    public String next() {
        String page = next;
        if (page == null) {
            throw new NoSuchElementException("the session is over");
        }
        next = after(page);
        return page;
    }

    private @Nullable String after(String page) {
        String drawn = graph.next(page, random);
        if (drawn.equals(PageGraph.BACK)) {
            return history.poll();
        }
        if (drawn.equals(PageGraph.END)) {
            return null;
        }
        if (graph.hasBack(drawn)) {
            history.push(page);
        } else {
            history.clear();
        }
        return drawn;
    }
}
