import dev.tandem.files.Folder;
import dev.tandem.filters.Rule;
import dev.tandem.filters.Rules;
import dev.tandem.proxy.Proxy;
import dev.tandem.Server;
import dev.tandem.Tandem;
import java.nio.file.Path;
import java.util.List;

/// A site of files, with a server behind it:
///
///     java --enable-native-access=ALL-UNNAMED -cp '.tandem/lib/*' \
///         examples/Site.java 8080 public 127.0.0.1:3000
///
/// serves the folder `public`, and what is below /app from the server at port 3000.
void main(String[] args) throws Exception {
    var files = Folder.of(Path.of(args[1]));
    var app = Proxy.to(List.of(args[2]));
    Server server =
            Tandem.listen("127.0.0.1", Integer.parseInt(args[0]))
                    .filter(Rules.of(List.of(new Rule.Redirect("/old/*", "/{rest}", 301))))
                    .get("/{path...}", files)
                    .route("*", "/app/{path...}", app)
                    .start();
    IO.println("http://127.0.0.1:" + server.port() + "/");
    server.join();
}
