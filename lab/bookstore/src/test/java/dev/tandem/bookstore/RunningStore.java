package dev.tandem.bookstore;

import dev.tandem.Server;
import dev.tandem.Tandem;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/// The store on a server of its own.
final class RunningStore implements AutoCloseable {
    static final Population POPULATION = new Population(200, 300, 1);

    private final Bookstore store;
    private final Server server;

    RunningStore(Settings settings) throws IOException {
        store = Bookstore.open(settings.withPopulation(POPULATION));
        Tandem building = Tandem.listen("127.0.0.1", 0);
        store.addTo(building::route);
        server = building.filter(store.database().unavailable()).start();
    }

    Bookstore store() {
        return store;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.address().getPort() + "/");
    }

    Shopper shopper() {
        return new Shopper(address());
    }

    @Override
    public void close() {
        server.stop(Duration.ofSeconds(1));
        store.close();
    }
}
