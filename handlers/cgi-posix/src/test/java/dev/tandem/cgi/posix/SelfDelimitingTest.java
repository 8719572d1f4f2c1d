package dev.tandem.cgi.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.FramingCheck;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every status that a program sets, with every kind of body, says where it ends.
@Timeout(120)
class SelfDelimitingTest {
    @Test
    void everyResponseIsSelfDelimiting() throws IOException {
        String program =
                """
                status=${QUERY_STRING%%-*}
                printf "Status: $status\\nContent-Type: text/plain\\n"
                case "${QUERY_STRING#*-}" in
                  nothing) printf '\\n' ;;
                  length0) printf 'Content-Length: 0\\n\\n' ;;
                  length) printf 'Content-Length: 7\\n\\ncontent' ;;
                  plain) printf '\\ncontent' ;;
                esac
                """;
        try (var site =
                new Programs(SpawnerKind.POSIX).withShell("a", program).withFile("next", "next")) {
            var check = new FramingCheck(new InetSocketAddress("127.0.0.1", site.port()), "/next");
            int count = 0;
            for (int status : List.of(200, 201, 204, 205, 206, 302, 304, 404, 500, 503)) {
                for (String kind : List.of("nothing", "length0", "length", "plain")) {
                    count += check.check("/cgi-bin/a?" + status + "-" + kind, status);
                }
            }
            assertEquals(480, count);
        }
    }
}
