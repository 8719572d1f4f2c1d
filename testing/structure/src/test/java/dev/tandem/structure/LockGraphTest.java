package dev.tandem.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LockGraphTest {
    /// Runs tasks of others, on the loop, or when it is over and its connections are closed.
    private static final Set<String> TASKS = Set.of("dev/tandem/net/Loop.guarded");

    @Test
    void noTwoLocksAreTakenInEitherOrder() throws IOException {
        Project project = Project.current();
        var folders = new ArrayList<Path>();
        for (String layer : Project.LAYERS) {
            for (Path module : project.modules(layer)) {
                Path classes = module.resolve("target/classes");
                if (classes.toFile().isDirectory()) {
                    folders.add(classes);
                }
            }
        }
        LockGraph graph = LockGraph.of(folders, TASKS);
        assertEquals("", String.join("\n", graph.contradictions()));
        // It is seen through calls, interfaces and fields at all.
        String session = "dev/tandem/engine/websocket/WebSocketSession.lock";
        assertTrue(graph.nested().contains(session), () -> graph.nested().toString());
    }

    @Test
    void ordersThatContradictAreFoundThroughCalls() throws IOException {
        Path classes = Path.of("target/test-classes/dev/tandem/structure");
        LockGraph graph = LockGraph.of(List.of(classes), Set.of());
        List<String> found = graph.contradictions();
        String planted = "dev/tandem/structure/Planted";
        assertEquals(2, found.size(), found::toString);
        assertTrue(found.getFirst().startsWith(planted + "First and then " + planted + "Second"));
        assertTrue(found.getLast().startsWith(planted + "Second and then " + planted + "First"));
    }
}

final class PlantedFirst {
    private final PlantedListener listener = PlantedFirst::go;
    private final PlantedSecond second = new PlantedSecond();

    synchronized void call() {
        second.call();
    }

    static void go(PlantedFirst first) {
        first.call();
    }

    PlantedListener listener() {
        return listener;
    }
}

final class PlantedSecond {
    private int calls;

    synchronized void call() {
        calls++;
    }

    /// The call is behind a way out.
    boolean announce(PlantedListener listener, PlantedFirst first) {
        synchronized (this) {
            if (calls > 0) {
                return false;
            }
            listener.called(first);
        }
        return true;
    }
}

interface PlantedListener {
    void called(PlantedFirst first);
}
