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

/// Serves one page. Its data is loaded first, and the database connection released; then it is
/// rendered completely, so that its length is known and an error never leaves half of it.
final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /// The site's own script, which may connect to the site; nothing from other sites, no framing.
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; style-src"
                    + " 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    /// Templates that contain a form and therefore need a session for its token.
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
            case Reply.Redirect to -> {
                response.setStatus(HttpServletResponse.SC_SEE_OTHER);
                response.setHeader("Location", request.getContextPath() + to.path());
            }
            case Reply.Rendered shown -> show(new PageRequest(request), shown, response);
        }
    }

    private Reply make(HttpServletRequest request, boolean isPost, HttpServletResponse response) {
        var pageRequest = new PageRequest(request);
        try {
            if (!PageRequest.isReadable(request)) {
                return Reply.sorry(400, "What you sent cannot be read, or is too much at once.");
            }
            if (isPost && !pageRequest.isTokenRight()) {
                return Reply.sorry(403, "This form is too old. Go back, reload it and try again.");
            }
            return page.maker().make(pageRequest);
        } catch (RejectedException e) {
            if (e.status() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
                response.setHeader("Retry-After", "5");
            }
            return Reply.sorry(e.status(), e.says());
        } catch (IllegalStateException e) {
            // Most likely the session ended during the request; if not, it is a bug of ours.
            // Containers would show the stack trace.
            getServletContext().log(page.name(), e);
            return Reply.sorry(500, "That went wrong. Try again in a moment.");
        } catch (SQLException e) {
            // The user may try again; the cause is for the log.
            getServletContext().log(page.name() + ": " + e.getMessage());
            response.setHeader("Retry-After", "5");
            return Reply.sorry(503, "Our books cannot be read just now. Try again in a moment.");
        }
    }

    private void show(PageRequest request, Reply.Rendered shown, HttpServletResponse response)
            throws IOException {
        Map<String, Object> values = new HashMap<>(shown.values());
        values.put("frame", request.frame(page.name(), WITH_FORMS.contains(shown.template())));
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
