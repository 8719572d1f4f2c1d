package arena;

import dev.tandem.Options;
import dev.tandem.Tandem;
import dev.tandem.files.Folder;
import dev.tandem.files.FolderOptions;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// HttpArena's endpoints, by Tandem's documented API.
public final class Main {
    /// The largest upload of the profile is 20 MiB.
    private static final long UPLOAD_MAX = 32 << 20;

    private static final int BUFFER = 64 << 10;

    private Main() {}

    public static void main(String[] args) throws Exception {
        Path data = Path.of("/data");
        List<Item> items =
                JsonMapper.shared()
                        .readValue(
                                Files.readString(data.resolve("dataset.json")),
                                new TypeReference<>() {});
        // Production entries read static files from disk for each request.
        Folder files = Folder.of(data.resolve("static"), FolderOptions.DEFAULT.withCacheBytes(0));
        Tandem tandem =
                Tandem.listen(8080)
                        .options(Options.DEFAULT.withLimits(l -> l.withBodyMax(UPLOAD_MAX)))
                        .get("/baseline11", Main::sum)
                        .post("/baseline11", Main::sum)
                        .get("/baseline2", Main::sum)
                        .get("/pipeline", x -> x.send("ok"))
                        .get("/json/{count}", x -> x.json(totals(items, x)))
                        .post("/upload", Main::upload)
                        .get("/static/{path...}", files)
                        .webSocket(
                                "/ws",
                                session -> {
                                    session.onText(session::send);
                                    session.onBinary(session::send);
                                });
        Path certificate = Path.of("/certs/server.crt");
        if (Files.exists(certificate)) {
            var pem = CertificateFiles.pem(certificate, Path.of("/certs/server.key"));
            tandem.andListen(8443).tls(TlsSettings.of(pem));
            tandem.andListen(8081).tls(TlsSettings.of(pem));
        }
        tandem.start().join();
    }

    private static void sum(Exchange x) throws IOException {
        long sum = x.queryInt("a", 0) + x.queryInt("b", 0);
        if (x.request().method().equals("POST")) {
            sum += Long.parseLong(x.bodyText().strip());
        }
        x.send(Long.toString(sum));
    }

    private static Totals totals(List<Item> items, Exchange x) {
        int count = x.pathInt("count");
        int m = x.queryInt("m", 1);
        if (count < 0 || count > items.size()) {
            throw new HttpException(404, "there are 0 to " + items.size() + " items");
        }
        return new Totals(items.stream().limit(count).map(i -> i.withTotal(m)).toList(), count);
    }

    private static void upload(Exchange x) throws IOException {
        long length = 0;
        byte[] buffer = new byte[BUFFER];
        try (InputStream body = x.request().body()) {
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                length += n;
            }
        }
        x.send(Long.toString(length));
    }

    record Rating(int score, int count) {}

    record Item(
            int id,
            String name,
            String category,
            int price,
            int quantity,
            boolean active,
            List<String> tags,
            Rating rating) {

        ItemTotal withTotal(int m) {
            long total = (long) price * quantity * m;
            return new ItemTotal(id, name, category, price, quantity, active, tags, rating, total);
        }
    }

    record ItemTotal(
            int id,
            String name,
            String category,
            int price,
            int quantity,
            boolean active,
            List<String> tags,
            Rating rating,
            long total) {}

    record Totals(List<ItemTotal> items, int count) {}
}
