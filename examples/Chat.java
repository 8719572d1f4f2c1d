import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.WebSocketGroup;
import dev.tandem.http.websocket.CloseReason;
import java.util.Map;

/// Rooms in which all see what one writes. After `./tandem --version` has built Tandem once:
///
///     java --enable-native-access=ALL-UNNAMED -cp '.tandem/lib/*' examples/Chat.java
///
/// with a JDK 25 or newer, and then http://127.0.0.1:8080 in two windows
void main(String[] args) throws Exception {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    // Fixed, since clients that name rooms could make them without end.
    var rooms =
            Map.of(
                    "garden", new WebSocketGroup(WebSocketGroup.Slow.CLOSE),
                    "kitchen", new WebSocketGroup(WebSocketGroup.Slow.CLOSE));
    Server server =
            Tandem.listen("127.0.0.1", port)
                    .get("/", x -> x.html(PAGE))
                    .webSocket(
                            "/rooms/{room}",
                            session -> {
                                WebSocketGroup room = rooms.get(session.pathParam("room"));
                                if (room == null) {
                                    session.close(new CloseReason(CloseReason.POLICY, "no room"));
                                } else {
                                    room.add(session);
                                    session.onText(room::broadcast);
                                }
                            })
                    .start();
    IO.println("http://127.0.0.1:" + server.port() + "/");
    server.join();
}

static final String PAGE =
        """
        <!doctype html>
        <title>The garden</title>
        <ul id="lines"></ul>
        <form><input id="line" autofocus></form>
        <script>
        const garden = new WebSocket(location.origin.replace('http', 'ws') + '/rooms/garden');
        garden.onmessage = event => {
            document.getElementById('lines').appendChild(document.createElement('li')).textContent = event.data;
        };
        document.forms[0].onsubmit = event => {
            event.preventDefault();
            garden.send(document.getElementById('line').value);
            event.target.reset();
        };
        </script>
        """;
