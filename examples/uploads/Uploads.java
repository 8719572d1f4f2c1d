import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.files.Folder;
import dev.tandem.http.Exchange;
import dev.tandem.http.Form;
import dev.tandem.http.HttpException;
import dev.tandem.http.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/// Files that a browser uploads, and that others download. README.md says how to start it.
void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 1 ? args[1] : "uploads");
    try (Server server = serve(args.length > 0 ? Integer.parseInt(args[0]) : 8080, folder)) {
        IO.println("http://127.0.0.1:" + server.port() + "/");
        server.join();
    }
}

static Server serve(int port, Path folder) throws IOException {
    Files.createDirectories(folder);
    return Tandem.listen("127.0.0.1", port)
            .options(Options.DEFAULT.withLimits(l -> l.withBodyMax(100L << 20)))
            .get("/", x -> x.html(PAGE))
            .post("/files", x -> store(x, folder))
            .get("/files/{path...}", Folder.of(folder))
            .start();
}

/// The client's name for the file says nothing: it may be a path, or the name of a page.
static void store(Exchange x, Path folder) throws IOException {
    try (Form form = x.request().form()) {
        Part file = form.part("file");
        if (file == null || !file.isFile()) {
            throw new HttpException(400, "file is missing");
        }
        String name = UUID.randomUUID() + ".bin";
        file.saveTo(folder.resolve(name)); // a large one is on disk already, and is copied
        x.redirect("/files/" + name);
    }
}

static final String PAGE =
        """
        <!doctype html>
        <title>Uploads</title>
        <form method="post" action="/files" enctype="multipart/form-data">
        <input type="file" name="file"><button>Upload</button>
        </form>
        """;
