import dev.tandem.Server;
import dev.tandem.Tandem;

/// A whole server. After `./tandem --version` has built Tandem once:
///
///     java --enable-native-access=ALL-UNNAMED -cp '.tandem/lib/*' examples/Hello.java
///
/// with a JDK 25 or newer, and then http://127.0.0.1:8080/hello/you
void main(String[] args) throws Exception {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    Server server =
            Tandem.listen("127.0.0.1", port)
                    .get("/hello/{name}", x -> x.send("Hello, " + x.pathParam("name") + "\n"))
                    .start();
    IO.println("http://127.0.0.1:" + server.port() + "/hello/you");
    server.join();
}
