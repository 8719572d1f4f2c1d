package dev.tandem.lab;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The target's endpoints as servlets, like the rivals' in `lab/rivals`.
final class TargetServlets {
    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OK = "ok".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LARGE = new byte[100 * 1024];

    private TargetServlets() {}

    /// By their paths.
    static Map<String, HttpServlet> all(Items items) {
        var all = new LinkedHashMap<String, HttpServlet>();
        all.put("/hello", new ActionServlet((_, s) -> send(s, "text/plain", HELLO)));
        all.put("/100k", new ActionServlet((_, s) -> send(s, "application/octet-stream", LARGE)));
        all.put("/block", new ActionServlet(TargetServlets::block));
        all.put("/report", new ActionServlet(TargetServlets::block));
        all.put("/cpu", new ActionServlet(TargetServlets::cpu));
        all.put("/db", new ActionServlet((_, s) -> row(items, s)));
        all.put("/echo", new ActionServlet(TargetServlets::echo));
        return all;
    }

    /// Handles a request.
    @FunctionalInterface
    private interface Action {
        void respond(HttpServletRequest request, HttpServletResponse response)
                throws IOException, InterruptedException, SQLException;
    }

    private static final class ActionServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient Action action;

        ActionServlet(Action action) {
            this.action = action;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            try {
                action.respond(request, response);
            } catch (SQLException e) {
                throw new IOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }

    private static void send(HttpServletResponse response, String type, byte[] content)
            throws IOException {
        response.setContentType(type);
        response.setContentLength(content.length);
        response.getOutputStream().write(content);
    }

    private static void block(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        Thread.sleep(number(request.getParameter("ms"), 5, Target.SLEEP_MAX_MILLIS));
        send(response, "text/plain", OK);
    }

    private static void cpu(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        long number =
                Target.compute(number(request.getParameter("us"), 1_000, Target.CPU_MAX_MICROS));
        send(response, "text/plain", Long.toHexString(number).getBytes(StandardCharsets.US_ASCII));
    }

    /// Returns the fallback if the text is not a number in its range.
    private static int number(@Nullable String text, int fallback, int max) {
        boolean isNumber = text != null && text.matches("[0-9]{1,9}");
        return isNumber ? Math.min(Integer.parseInt(text), max) : fallback;
    }

    private static void row(Items items, HttpServletResponse response)
            throws IOException, SQLException {
        send(response, "application/json", items.random().getBytes(StandardCharsets.UTF_8));
    }

    private static void echo(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        // Reads to the end before the response begins, which is complete with its last byte.
        send(response, "text/plain", request.getInputStream().readAllBytes());
    }
}
