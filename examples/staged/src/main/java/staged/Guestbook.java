package staged;

import com.zaxxer.hikari.HikariConfig;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.database.Staged;
import dev.tandem.database.StagedDataSource;
import dev.tandem.database.Templates;
import dev.tandem.database.View;
import dev.tandem.http.Exchange;
import dev.tandem.http.Form;
import dev.tandem.http.Html;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.io.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Pages in two stages: the data, in one transaction, and then the view, without a connection.
public final class Guestbook implements AutoCloseable {
    private final StagedDataSource database;
    private final Staged staged;

    Guestbook(String url) throws SQLException {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(4);
        database = StagedDataSource.over(config);
        staged = new Staged(database, new Pages());
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create table if not exists entries (text varchar(200) not null)");
        }
    }

    public static void main(String[] arguments) throws Exception {
        int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8080;
        try (var book = new Guestbook("jdbc:h2:mem:book");
                Server server = book.addTo(Tandem.listen("127.0.0.1", port)).start()) {
            System.out.println("http://127.0.0.1:" + server.port() + "/");
            server.join();
        }
    }

    Tandem addTo(Tandem tandem) {
        staged.gauges("staged").forEach(tandem::gauge);
        return tandem.filter(database.unavailable())
                .get("/", staged.page((x, c) -> View.of("entries", entries(c))))
                .post("/", staged.page(Guestbook::add));
    }

    private static View add(Exchange x, Connection c) throws IOException, SQLException {
        try (Form form = x.request().form();
                var insert = c.prepareStatement("insert into entries values (?)")) {
            String text = form.first("text");
            if (text == null || text.isBlank() || text.length() > 200) {
                throw new HttpException(400, "text must have 1 to 200 characters");
            }
            insert.setString(1, text);
            insert.executeUpdate();
        }
        return View.redirect("/");
    }

    private static List<String> entries(Connection c) throws SQLException {
        try (var statement = c.createStatement();
                var rows = statement.executeQuery("select text from entries")) {
            var entries = new ArrayList<String>();
            while (rows.next()) {
                entries.add(rows.getString(1));
            }
            return entries;
        }
    }

    /// In place of a template engine, for which there are adapters.
    private static final class Pages implements Templates {
        @Override
        public void render(String template, Object model, Writer out) throws IOException {
            out.write("<!doctype html><title>Guestbook</title><ul>");
            for (Object entry : (List<?>) model) {
                out.write("<li>" + Html.escape(entry.toString()));
            }
            out.write("</ul><form method=post><input name=text><button>Sign</button></form>");
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
