import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Event;
import dev.tandem.http.EventChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// Prices that change while a page shows them. After `./tandem --version` has built Tandem once:
///
///     java --enable-native-access=ALL-UNNAMED -cp '.tandem/lib/*' examples/Prices.java
///
/// with a JDK 25 or newer, and then http://127.0.0.1:8080 or `curl -N http://127.0.0.1:8080/prices`
void main(String[] args) throws Exception {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    var cents = new AtomicInteger(1_000);
    var prices = EventChannel.of();
    Server server =
            Tandem.listen("127.0.0.1", port)
                    .get("/", x -> x.html(PAGE))
                    .get("/prices", x -> prices.subscribe(x, () -> List.of(price(cents.get()))))
                    .start();
    Thread.ofVirtual().start(() -> change(cents, prices));
    IO.println("http://127.0.0.1:" + server.port() + "/");
    server.join();
}

/// Publishes a new price each second.
void change(AtomicInteger cents, EventChannel prices) {
    try {
        while (true) {
            Thread.sleep(Duration.ofSeconds(1));
            int by = ThreadLocalRandom.current().nextInt(-5, 6);
            prices.publish(price(cents.addAndGet(by)));
        }
    } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
    }
}

Event price(int cents) {
    return Event.of("price", "%d.%02d".formatted(cents / 100, cents % 100));
}

static final String PAGE =
        """
        <!doctype html>
        <title>Prices</title>
        <p id="price">no price yet</p>
        <script>
        new EventSource('/prices').addEventListener('price', event => {
            document.getElementById('price').textContent = event.data;
        });
        </script>
        """;
