package dev.tandem.auction;

import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Answers one page. Its data is made first, and the database's connection given back; then it is
/// rendered whole, so that its length is known and an error never leaves half of it.
final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /// No script, nothing from elsewhere, in nobody's frame.
    private static final String POLICY =
            "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self';"
                    + " base-uri 'none'; frame-ancestors 'none'";

    /// Templates that hold a form, and so need a session to keep its token in.
    private static final Set<String> WITH_FORMS =
            Set.of("register", "signin", "buy", "bid", "comment", "sellform");

    private final transient Page page;
    private final transient TemplateEngine templates;

    PageServlet(Page page, TemplateEngine templates) {
        this.page = page;
        this.templates = templates;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        request.setCharacterEncoding("UTF-8");
        boolean isPost = request.getMethod().equals("POST");
        boolean isGet = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (isPost && !page.isPost() || isGet && !page.isGet() || !isPost && !isGet) {
            response.setHeader(
                    "Allow",
                    page.isGet() ? page.isPost() ? "GET, HEAD, POST" : "GET, HEAD" : "POST");
            response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
            return;
        }
        Reply reply = make(request, isPost, response);
        switch (reply) {
            case Reply.Elsewhere to -> {
                response.setStatus(HttpServletResponse.SC_SEE_OTHER);
                response.setHeader("Location", request.getContextPath() + to.path());
            }
            case Reply.Shown shown -> show(new Visit(request), shown, response);
        }
    }

    private Reply make(HttpServletRequest request, boolean isPost, HttpServletResponse response) {
        var visit = new Visit(request);
        try {
            if (!Visit.isReadable(request)) {
                return Reply.sorry(400, "What you sent cannot be read, or is too much at once.");
            }
            if (isPost && !visit.isTokenRight()) {
                return Reply.sorry(403, "This form is too old. Go back, reload it and try again.");
            }
            return page.maker().make(visit);
        } catch (Sorry e) {
            if (e.status() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
                response.setHeader("Retry-After", "5");
            }
            return Reply.sorry(e.status(), e.says());
        } catch (IllegalStateException e) {
            // Most likely the session ended while its visitor asked; if not, it is a bug of ours.
            // Containers would show how it came about.
            getServletContext().log(page.name(), e);
            return Reply.sorry(500, "That went wrong. Try again in a moment.");
        } catch (SQLException e) {
            // The visitor may come back; why it is so is for the log.
            getServletContext().log(page.name() + ": " + e.getMessage());
            response.setHeader("Retry-After", "5");
            return Reply.sorry(503, "Our books cannot be read just now. Try again in a moment.");
        }
    }

    private void show(Visit visit, Reply.Shown shown, HttpServletResponse response)
            throws IOException {
        Map<String, Object> values = new HashMap<>(shown.values());
        values.put("frame", visit.frame(page.name(), WITH_FORMS.contains(shown.template())));
        var out = new Utf8ByteOutput();
        templates.render(shown.template() + ".jte", values, out);
        response.setStatus(shown.status());
        response.setContentType("text/html; charset=utf-8");
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "same-origin");
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(out.getContentLength());
        out.writeTo(response.getOutputStream());
    }
}
