package dev.tandem.structure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Which locks the code takes while it has others, as its byte code shows. Two that are taken in
/// either order may stop two threads for ever.
///
/// A lock is a monitor, by the type of its object, or by the field that has it. A call leads to
/// each method of the project that it may mean: those of all subtypes, and lambdas of the project's
/// own functional interfaces. What runs by one of the JDK's, as a task of a queue, is not followed,
/// nor are locks of `java.util.concurrent`. Confined to one thread.
public final class LockGraph {
    private final LockCode code = new LockCode();

    /// Methods that are not followed, such as `a/b/C.name`.
    private final Set<String> ignored;

    /// For each method the locks that it takes, and by which call; by itself where that is empty.
    private final Map<String, Map<String, String>> taken = new HashMap<>();

    /// For each lock those that are taken while it is held, and where.
    private final Map<String, Map<String, String>> edges = new TreeMap<>();

    private LockGraph(Set<String> ignored) {
        this.ignored = ignored;
    }

    /// @param folders of compiled classes
    /// @param ignored methods that are not followed, such as `a/b/C.name`
    /// @throws IOException a class cannot be read
    public static LockGraph of(Collection<Path> folders, Set<String> ignored) throws IOException {
        var graph = new LockGraph(ignored);
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    if (file.toString().endsWith(".class")) {
                        graph.code.add(file);
                    }
                }
            }
        }
        graph.spread();
        graph.connect();
        return graph;
    }

    /// What a call takes, its caller takes, too.
    private void spread() {
        for (LockCode.Method method : code.methods()) {
            var own = new TreeMap<String, String>();
            method.locks().forEach(lock -> own.put(lock, ""));
            taken.put(method.id(), own);
        }
        boolean isNew = true;
        while (isNew) {
            isNew = false;
            for (LockCode.Method method : code.methods()) {
                Map<String, String> own = taken(method.id());
                int before = own.size();
                method.calls().forEach(call -> takenBy(call).forEach(own::putIfAbsent));
                isNew |= own.size() > before;
            }
        }
    }

    /// Returns the locks that a call takes, each with the method that it leads to.
    private Map<String, String> takenBy(LockCode.Call call) {
        var all = new TreeMap<String, String>();
        if (!ignored.contains(call.owner() + '.' + call.name())) {
            for (String target : code.targets(call)) {
                taken(target).keySet().forEach(lock -> all.putIfAbsent(lock, target));
            }
        }
        return all;
    }

    private Map<String, String> taken(String method) {
        return Objects.requireNonNull(taken.get(method));
    }

    private void connect() {
        for (LockCode.Method method : code.methods()) {
            for (LockCode.Region region : method.regions()) {
                Map<String, String> to = edges.computeIfAbsent(region.lock(), _ -> new TreeMap<>());
                region.locks().forEach(lock -> to.putIfAbsent(lock, method.id()));
                region.calls().forEach(call -> connect(method.id(), call, to));
            }
        }
    }

    private void connect(String from, LockCode.Call call, Map<String, String> to) {
        takenBy(call).forEach((lock, target) -> to.putIfAbsent(lock, from + way(target, lock)));
    }

    private String way(String from, String lock) {
        var way = new StringBuilder();
        String at = from;
        while (!at.isEmpty()) {
            way.append("\n    > ").append(at);
            at = taken(at).getOrDefault(lock, "");
        }
        return way.toString();
    }

    /// Returns the locks that are taken while another is held, and the other way round, over
    /// however many in between: each with the calls that lead there.
    public List<String> contradictions() {
        var found = new ArrayList<String>();
        edges.forEach(
                (held, then) ->
                        then.forEach(
                                (lock, way) -> {
                                    if (!lock.equals(held) && reachable(lock).contains(held)) {
                                        found.add(held + " and then " + lock + " by " + way);
                                    }
                                }));
        return found;
    }

    private Set<String> reachable(String from) {
        var seen = new LinkedHashSet<String>();
        var next = new ArrayDeque<String>(List.of(from));
        while (!next.isEmpty()) {
            for (String lock : edges.getOrDefault(next.remove(), Map.of()).keySet()) {
                if (seen.add(lock)) {
                    next.add(lock);
                }
            }
        }
        return seen;
    }

    /// Returns all locks that are taken while another is held.
    public Set<String> nested() {
        var all = new TreeSet<String>();
        edges.values().forEach(then -> all.addAll(then.keySet()));
        return all;
    }
}
