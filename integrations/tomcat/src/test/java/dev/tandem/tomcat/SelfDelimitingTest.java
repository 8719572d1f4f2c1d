package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.FramingCheck;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every status that a servlet sets, with every kind of body, says where it ends.
@Timeout(120)
class SelfDelimitingTest {
    private static final List<String> KINDS =
            List.of("nothing", "length-0", "length", "written", "flushed", "long", "error");

    private static void serve(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String[] parts = request.getPathInfo().split("/");
        int status = Integer.parseInt(parts[1]);
        if (parts[2].equals("error")) {
            response.sendError(status);
            return;
        }
        response.setStatus(status);
        switch (parts[2]) {
            case "nothing" -> {}
            case "length-0" -> response.setContentLength(0);
            case "length" -> {
                response.setContentLength(7);
                response.getOutputStream().print("content");
            }
            case "written" -> response.getOutputStream().print("content");
            case "flushed" -> {
                response.flushBuffer();
                response.getOutputStream().print("content");
            }
            case "long" -> response.getOutputStream().write(new byte[30_000]);
            default -> throw new IllegalArgumentException(parts[2]);
        }
    }

    @Test
    void everyResponseSaysWhereItEnds() throws Exception {
        try (var site = new TestTomcat()) {
            site.with("/s/*", servlet(SelfDelimitingTest::serve));
            site.with("/next", servlet((_, s) -> s.getOutputStream().print("next")));
            site.start();
            var check = new FramingCheck(new InetSocketAddress("127.0.0.1", site.port()), "/next");
            int count = 0;
            for (int status = 200; status <= 599; status++) {
                boolean isSpecial = status == 204 || status == 205 || status == 304;
                for (String kind : isSpecial || status % 25 == 0 ? KINDS : List.of("written")) {
                    if (!kind.equals("error") || status >= 400) {
                        count += check.check("/s/" + status + "/" + kind, status);
                    }
                }
            }
            assertEquals(true, count > 5_000, "ways: " + count);
        }
    }
}
