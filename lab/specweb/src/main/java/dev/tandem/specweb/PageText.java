package dev.tandem.specweb;

import dev.tandem.workloads.Fetch;
import dev.tandem.workloads.PageModel;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A page that is being written. Confined to one thread.
///
/// `<meta name="page">` names it, and its last line is a comment that names it again, so that a
/// client knows that it is the right page and complete. The padding to the benchmark's length has a
/// marker at the beginning of each 4,096 bytes.
final class PageText {
    /// The benchmark's distance of markers, in bytes.
    static final int MARKER_BYTES = 4_096;

    /// No script, nothing from other sites, no framing.
    private static final String POLICY =
            "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self';"
                    + " base-uri 'none'; frame-ancestors 'none'";

    private final StringBuilder text = new StringBuilder(16_384);
    private final String name;

    /// @param root the application's path, without a slash at the end
    PageText(String name, String title, String root) {
        this.name = name;
        text.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width\">\n")
                .append("<meta name=\"page\" content=\"")
                .append(name)
                .append("\">\n<title>");
        add(title);
        text.append("</title><link rel=\"stylesheet\" href=\"")
                .append(root)
                .append("/style.css\"></head><body>\n<h1>");
        add(title);
        text.append("</h1>\n");
    }

    /// Adds external input as escaped text.
    private PageText add(String fields) {
        for (int i = 0; i < fields.length(); i++) {
            char c = fields.charAt(i);
            switch (c) {
                case '&' -> text.append("&amp;");
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '"' -> text.append("&quot;");
                case '\'' -> text.append("&#39;");
                default -> text.append(c);
            }
        }
        return this;
    }

    PageText say(String sentence) {
        text.append("<p>");
        add(sentence);
        text.append("</p>\n");
        return this;
    }

    PageText link(String to, String fields) {
        text.append("<a href=\"");
        add(to);
        text.append("\">");
        add(fields);
        text.append("</a>\n");
        return this;
    }

    /// @param token that the form returns; empty for none
    PageText form(Screen to, String action, String token) {
        text.append("<form method=\"").append(to.isPost() ? "post" : "get").append("\" action=\"");
        add(action);
        text.append("\">");
        if (!token.isEmpty()) {
            text.append("<input type=\"hidden\" name=\"token\" value=\"");
            add(token);
            text.append("\">");
        }
        for (String field : to.fields()) {
            String type = field.equals("password") ? "password" : "text";
            text.append("<label>")
                    .append(field)
                    .append(" <input name=\"")
                    .append(field)
                    .append("\" type=\"")
                    .append(type)
                    .append("\" maxlength=\"100\" required></label>");
        }
        text.append("<button>");
        add(to.title().isEmpty() ? to.name() : to.title());
        text.append("</button></form>\n");
        return this;
    }

    PageText table(List<String> heads, List<List<String>> rows) {
        text.append("<table><tr>");
        heads.forEach(head -> text.append("<th>").append(head).append("</th>"));
        text.append("</tr>\n");
        for (List<String> row : rows) {
            text.append("<tr>");
            row.forEach(
                    field -> {
                        text.append("<td>");
                        add(field);
                        text.append("</td>");
                    });
            text.append("</tr>\n");
        }
        text.append("</table>\n");
        return this;
    }

    PageText image(String path) {
        text.append("<img alt=\"\" src=\"");
        add(path);
        text.append("\">\n");
        return this;
    }

    /// Adds embedded files, and the benchmark's number of padding bytes.
    PageText weigh(PageModel model, String folder) {
        text.append("<footer>");
        for (Fetch fetch : model.embedded()) {
            image(folder + FileSet.imageName(fetch.target()));
        }
        text.append("</footer>\n<!-- padding\n");
        pad(model.paddingBytes());
        text.append("-->\n");
        return this;
    }

    private void pad(int bytes) {
        int end = text.length() + bytes;
        for (int i = 0; text.length() < end; i++) {
            int next = Math.min(end, text.length() + MARKER_BYTES);
            text.append("marker ").append(i).append('\n');
            while (text.length() < next) {
                text.append("what a real page has here, more or less\n");
            }
            text.setLength(next);
            text.setCharAt(next - 1, '\n');
        }
    }

    void send(HttpServletResponse response, int status) throws IOException {
        text.append("</body></html>\n<!-- end of ").append(name).append(" -->\n");
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("text/html; charset=utf-8");
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
