import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.WebSocketGroup;
import dev.tandem.http.WebSocket;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;

/// Rooms: what one member sends, all members of its room get. README.md says how to start it.
void main(String[] args) throws Exception {
    try (Server server = serve(args.length > 0 ? Integer.parseInt(args[0]) : 8080)) {
        IO.println("http://127.0.0.1:" + server.port() + "/");
        server.join();
    }
}

/// Those that have members.
static final ConcurrentHashMap<String, WebSocketGroup> ROOMS = new ConcurrentHashMap<>();

static Server serve(int port) throws IOException {
    return Tandem.listen("127.0.0.1", port)
            .get("/", x -> x.html(PAGE))
            .webSocket("/rooms/{name}", session -> enter(session, session.pathParam("name")))
            .start();
}

/// A session that ends leaves its room by itself; a room that all have left is forgotten, since
/// clients choose the names. The map does one at a time for each name.
static void enter(WebSocket session, String name) {
    WebSocketGroup entered =
            ROOMS.compute(
                    name,
                    (_, known) -> {
                        var room =
                                known == null
                                        ? new WebSocketGroup(WebSocketGroup.Slow.CLOSE)
                                        : known;
                        room.add(session);
                        return room;
                    });
    session.onText(entered::broadcast);
    session.onClose(
            _ -> ROOMS.computeIfPresent(name, (_, room) -> room.size() == 0 ? null : room));
}

static final String PAGE =
        """
        <!doctype html>
        <title>Rooms</title>
        <form><input name="text" autofocus><button>Send</button></form>
        <ul></ul>
        <script>
        const room = new WebSocket(`ws://${location.host}/rooms/lobby`);
        const list = document.querySelector('ul'), form = document.querySelector('form');
        room.onmessage = event => {
            const line = document.createElement('li');
            line.textContent = event.data;
            list.prepend(line);
        };
        form.addEventListener('submit', event => {
            event.preventDefault();
            room.send(form.text.value);
            form.reset();
        });
        </script>
        """;
