package dev.tandem.lab;

import java.util.Arrays;
import java.util.List;

/// A condition under which [NioExperiment] compares servers.
enum NioCondition {
    ONE("one", "one processor", 0),
    TWO("two", "two processors", 0),
    LINK_100("100mbit", "100 Mbit/s", 100),
    LINK_200("200mbit", "200 Mbit/s", 200),

    /// Stands in for the links, where there can be none: each client reads slowly.
    SLOW("slow", "slow clients", 0);

    private final String word;
    private final String label;
    private final int megabits;

    NioCondition(String word, String label, int megabits) {
        this.word = word;
        this.label = label;
        this.megabits = megabits;
    }

    static List<String> words() {
        return Arrays.stream(values()).map(condition -> condition.word).toList();
    }

    /// Returns those of some words, in the order of this enumeration.
    static List<NioCondition> of(List<String> words) {
        return Arrays.stream(values()).filter(one -> words.contains(one.word)).toList();
    }

    /// Returns the conditions with [#SLOW] in place of links.
    static List<NioCondition> withoutLinks(List<NioCondition> conditions) {
        return Arrays.stream(values())
                .filter(one -> one.megabits == 0)
                .filter(one -> one == SLOW || conditions.contains(one))
                .toList();
    }

    /// Follows a contender's name, and a chart's title.
    String suffix() {
        return ", " + label;
    }

    /// Bandwidth of the link, in Mbit/s; 0 for no limit.
    int megabits() {
        return megabits;
    }

    /// Whether the link is the bottleneck, and no processor.
    boolean isSlow() {
        return megabits > 0 || this == SLOW;
    }
}
