package dev.tandem.server;

import dev.tandem.http.Router;
import java.util.List;

/// Engines for parts that are tested alone.
final class Engines {
    private Engines() {}

    static Engine plain() {
        var site = new Site(Router.builder().build(), List.of(), ErrorPage.PLAIN);
        return new Engine(Options.DEFAULT, new MemoryNetwork(), site, null);
    }
}
