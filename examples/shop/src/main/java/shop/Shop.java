package shop;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.WebSocketGroup;
import dev.tandem.files.Resources;
import dev.tandem.http.EventChannel;
import dev.tandem.http.Exchange;
import dev.tandem.http.Form;
import dev.tandem.http.HttpException;
import dev.tandem.http.Part;
import dev.tandem.http.WebSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import shop.Orders.NewOrder;
import shop.Orders.Order;

/// Takes orders as JSON or by a form, receives pictures, and reports new orders as they come.
/// docs/embedding.md explains it.
public final class Shop {
    private final Orders orders;
    private final Path pictures;
    private final EventChannel news = EventChannel.of();
    private final WebSocketGroup counters = new WebSocketGroup(WebSocketGroup.Slow.CLOSE);

    Shop(Orders orders, Path pictures) {
        this.orders = orders;
        this.pictures = pictures;
    }

    public static void main(String[] arguments) throws Exception {
        int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8080;
        var shop = new Shop(new Orders("jdbc:h2:mem:shop"), Files.createTempDirectory("shop"));
        Server server = shop.addTo(Tandem.listen("127.0.0.1", port)).start();
        System.out.println("http://127.0.0.1:" + server.port() + "/");
        server.join();
    }

    Tandem addTo(Tandem tandem) {
        return tandem.get("/", x -> x.html(FORM))
                .get("/assets/{path...}", Resources.of("static"))
                .group(
                        "/orders",
                        group ->
                                group.get("/", x -> x.json(orders.all()))
                                        .post("/", this::add)
                                        .get("/{id}", x -> x.json(orders.find(x.pathLong("id")))))
                .post("/form", this::addByForm)
                .post("/pictures", this::store)
                .get("/news", news::subscribe)
                .webSocket("/counter", this::serve)
                .exception(NoSuchElementException.class, Shop::sendMissing);
    }

    /// A body that is no order is 400, with the path in the document and the reason.
    private void add(Exchange x) throws IOException, SQLException {
        Order order = orders.add(x.body(NewOrder.class));
        report(order.item());
        x.status(201).header("Location", "/orders/" + order.id()).json(order);
    }

    private void addByForm(Exchange x) throws IOException, SQLException {
        try (Form form = x.request().form()) {
            String item = form.first("item");
            if (item == null || item.isBlank()) {
                throw new HttpException(400, "item is missing");
            }
            orders.add(new NewOrder(item, 1));
            report(item);
        }
        x.redirect("/orders/");
    }

    /// Never under the name that the client chose.
    private void store(Exchange x) throws IOException {
        try (Form form = x.request().form()) {
            Part picture = form.part("picture");
            if (picture == null || !picture.isFile()) {
                throw new HttpException(400, "picture is missing");
            }
            Path file = pictures.resolve(UUID.randomUUID() + ".bin");
            picture.saveTo(file);
            x.status(201).json(Map.of("bytes", Files.size(file)));
        }
    }

    /// To every browser and counter that listens.
    private void report(String item) {
        news.publish("order", item);
        counters.broadcast("new order: " + item);
    }

    /// A session gets every new order, and may ask for the number of all.
    private void serve(WebSocket session) throws IOException {
        counters.add(session);
        session.onText(text -> session.send(text.equals("count") ? "" + orders.all().size() : "?"));
    }

    private static void sendMissing(Exchange x, NoSuchElementException e) throws IOException {
        x.status(404).json(Map.of("error", String.valueOf(e.getMessage())));
    }

    private static final String FORM =
            """
            <!doctype html>
            <title>Shop</title>
            <link rel="stylesheet" href="/assets/shop.css">
            <form method="post" action="/form"><input name="item"><button>Order</button></form>
            """;
}
