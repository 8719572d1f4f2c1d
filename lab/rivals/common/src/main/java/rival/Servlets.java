package rival;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/// The target's endpoints, except its files, for servlet containers.
public final class Servlets {
    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OK = "ok".getBytes(StandardCharsets.US_ASCII);

    private Servlets() {}

    /// By their paths.
    public static Map<String, HttpServlet> all() {
        var all = new LinkedHashMap<String, HttpServlet>();
        all.put("/hello", new Hello());
        all.put("/100k", new Large());
        all.put("/block", new Block());
        all.put("/report", new Block());
        all.put("/cpu", new Cpu());
        all.put("/db", new Row());
        all.put("/echo", new Echo());
        return all;
    }

    private static void send(HttpServletResponse response, String type, byte[] body)
            throws IOException {
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            send(response, "text/plain", HELLO);
        }
    }

    private static final class Large extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private static final byte[] CONTENT = new byte[100 * 1024];

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            send(response, "application/octet-stream", CONTENT);
        }
    }

    private static final class Block extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            String millis = request.getParameter("ms");
            try {
                Thread.sleep(millis == null ? 5 : Long.parseLong(millis));
            } catch (InterruptedException e) {
                throw new ServletException(e);
            }
            send(response, "text/plain", OK);
        }
    }

    /// Computes as much for each microsecond as the target does.
    private static final class Cpu extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            String micros = request.getParameter("us");
            long x = Work.compute(micros == null ? 1_000 : Long.parseLong(micros));
            send(response, "text/plain", Long.toHexString(x).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static final class Row extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            try {
                byte[] row = Items.random().getBytes(StandardCharsets.UTF_8);
                send(response, "application/json", row);
            } catch (SQLException e) {
                throw new ServletException(e);
            }
        }
    }

    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            // Like the target: reads to the end before the response begins.
            send(response, "text/plain", request.getInputStream().readAllBytes());
        }
    }
}
