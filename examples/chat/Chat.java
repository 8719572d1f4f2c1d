import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Event;
import dev.tandem.http.EventChannel;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.util.List;

/// A chat by server-sent events: messages come by POST, and go to all. README.md says how to start it.
void main(String[] args) throws Exception {
    try (Server server = serve(args.length > 0 ? Integer.parseInt(args[0]) : 8080)) {
        IO.println("http://127.0.0.1:" + server.port() + "/");
        server.join();
    }
}

static Server serve(int port) throws IOException {
    var room = EventChannel.of();
    return Tandem.listen("127.0.0.1", port)
            .get("/", x -> x.html(PAGE))
            .get("/messages", x -> room.subscribe(x, () -> List.of(Event.of("message", "Welcome."))))
            .post(
                    "/messages",
                    x -> {
                        String text = x.bodyText().strip();
                        if (text.isEmpty()) {
                            throw new HttpException(400, "the message is empty");
                        }
                        room.publish("message", text);
                        x.status(202).send();
                    })
            .start();
}

static final String PAGE =
        """
        <!doctype html>
        <title>Chat</title>
        <form><input name="text" autofocus><button>Send</button></form>
        <ul></ul>
        <script>
        const list = document.querySelector('ul'), form = document.querySelector('form');
        new EventSource('/messages').addEventListener('message', event => {
            const line = document.createElement('li');
            line.textContent = event.data;
            list.prepend(line);
        });
        form.addEventListener('submit', event => {
            event.preventDefault();
            fetch('/messages', {method: 'POST', body: form.text.value});
            form.reset();
        });
        </script>
        """;
