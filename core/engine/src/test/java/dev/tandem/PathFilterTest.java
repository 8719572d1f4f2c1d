package dev.tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.http.Filter;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathFilterTest {
    @ParameterizedTest
    @CsvSource({
        "/admin, yes",
        "/admin/users, yes",
        "/admin;x, yes",
        "/admin;/users, yes",
        "/admin%3Bx/users, yes",
        "/;x/admin, yes",
        "/administration, null",
        "/administration;x, null",
        "/a;x/admin, null"
    })
    void filterIsForThePathInEverySpelling(String target, String header) throws IOException {
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .filter("/admin", Filter.before(x -> x.header("X-Admin", "yes")))
                        .get("/{path...}", x -> x.send(""));
        try (Server server = tandem.start();
                RawClient client = RawClient.connect(server.address())) {
            var response = client.send("GET " + target + " HTTP/1.1\nHost: a\n\n").response();
            assertEquals(header, "" + response.field("X-Admin"));
        }
    }
}
