package dev.tandem.structure;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The dependencies between top-level types, as their byte code shows them. Nested types count as
/// the type that encloses them. Confined to one thread.
public final class TypeGraph {
    private final Map<String, Set<String>> targets = new TreeMap<>();

    private TypeGraph() {}

    /// Builds the graph of these classes; dependencies on other classes are left out.
    ///
    /// @param classes imported by ArchUnit
    public static TypeGraph of(JavaClasses classes) {
        var graph = new TypeGraph();
        var known = new TreeSet<String>();
        for (JavaClass type : classes) {
            known.add(topLevel(type));
        }
        for (JavaClass type : classes) {
            Set<String> to = graph.targets.computeIfAbsent(topLevel(type), _ -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String target = topLevel(dependency.getTargetClass().getBaseComponentType());
                if (known.contains(target) && !target.equals(topLevel(type))) {
                    to.add(target);
                }
            }
        }
        return graph;
    }

    /// Returns the full names of the types that a type depends on.
    ///
    /// @param type a full name
    public Set<String> targets(String type) {
        return targets.getOrDefault(type, Set.of());
    }

    /// Returns the groups of types that all depend on each other, directly or not, with more than
    /// `max` members, the largest first.
    ///
    /// @param max how many types may form a cycle, at least 1
    public List<Set<String>> cyclesOver(int max) {
        var cycles = new ArrayList<Set<String>>();
        var search = new Search(cycles);
        targets.keySet().forEach(search::visit);
        cycles.removeIf(cycle -> cycle.size() <= max);
        cycles.sort((a, b) -> b.size() - a.size());
        return cycles;
    }

    private static String topLevel(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer.getName();
    }

    /// Tarjan's algorithm for strongly connected components.
    private final class Search {
        private final List<Set<String>> components;
        private final Map<String, Integer> indexes = new HashMap<>();
        private final Map<String, Integer> lows = new HashMap<>();
        private final Deque<String> stack = new ArrayDeque<>();
        private final Set<String> onStack = new TreeSet<>();

        Search(List<Set<String>> components) {
            this.components = components;
        }

        void visit(String type) {
            if (indexes.containsKey(type)) {
                return;
            }
            int index = indexes.size();
            indexes.put(type, index);
            lows.put(type, index);
            stack.push(type);
            onStack.add(type);
            for (String target : targets(type)) {
                if (!indexes.containsKey(target)) {
                    visit(target);
                    lows.merge(type, lows.get(target), Math::min);
                } else if (onStack.contains(target)) {
                    lows.merge(type, indexes.get(target), Math::min);
                }
            }
            if (lows.get(type) == index) {
                pop(type);
            }
        }

        private void pop(String root) {
            var component = new TreeSet<String>();
            String type;
            do {
                type = stack.pop();
                onStack.remove(type);
                component.add(type);
            } while (!type.equals(root));
            components.add(component);
        }
    }
}
