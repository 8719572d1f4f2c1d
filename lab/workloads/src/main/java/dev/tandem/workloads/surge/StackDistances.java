package dev.tandem.workloads.surge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// The depths of pages on a stack when they are requested, computed from the order of pages alone.
/// A requested page moves to the top, and is removed after its last request. A page that was never
/// requested lies below all others at an unknown depth: it counts as the first below them.
final class StackDistances {
    private StackDistances() {}

    /// @return the distance of each request, from 1, in their order
    static double[] of(List<String> pages) {
        var last = new HashMap<String, Integer>();
        for (int i = 0; i < pages.size(); i++) {
            last.put(pages.get(i), i);
        }
        // The top is at the end. Most distances are short, so searching from there is quick.
        var stack = new ArrayList<String>();
        double[] distances = new double[pages.size()];
        for (int i = 0; i < distances.length; i++) {
            String page = pages.get(i);
            int index = stack.lastIndexOf(page);
            distances[i] = stack.size() - index;
            if (index >= 0) {
                stack.remove(index);
            }
            if (last.getOrDefault(page, i) != i) {
                stack.add(page);
            }
        }
        return distances;
    }
}
