package dev.tandem.server;

import dev.tandem.admission.Explanation;
import java.util.ArrayList;
import java.util.List;

/// What a server can say of itself: the engine's own limits, then admission's.
final class Explained {
    private Explained() {}

    static List<Explanation> all(Engine engine) {
        var all = new ArrayList<Explanation>();
        Options options = engine.options();
        all.add(
                new Explanation(
                        "connections",
                        engine.open().get() + " of " + options.connectionsMax(),
                        "open; beyond the limit a newcomer takes the longest idle one's place"));
        all.add(
                new Explanation(
                        "loops",
                        Integer.toString(options.loops()),
                        "event loops, by " + engine.network().name()));
        all.add(
                new Explanation(
                        "threads",
                        Integer.toString(engine.workers().size()),
                        "that handlers run on; they begin as they are needed, and end after a"
                                + " minute of rest"));
        if (!options.isAllOnLoop()) {
            all.addAll(engine.turns().admission().explain());
        }
        for (Told told : engine.told()) {
            all.add(new Explanation(told.name(), told.value(), told.why()));
        }
        return all;
    }
}
