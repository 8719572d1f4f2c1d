package dev.tandem.specweb;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serves one page: its data from the simulator, then as HTML of the benchmark's length.
final class ScreenServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private static final int TEXT_MAX = 100;

    private final transient Screen screen;
    private final transient Backend backend;

    ScreenServlet(Screen screen, Backend backend) {
        this.screen = screen;
        this.backend = backend;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        boolean isAllowed = screen.kind() == Screen.Kind.LOGIN || !screen.isPost();
        if (isAllowed) {
            respond(request, response);
        } else {
            response.setHeader("Allow", "POST");
            sorry(request, response, 405, "This page is requested by a form.");
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (screen.isPost()) {
            respond(request, response);
        } else {
            response.setHeader("Allow", "GET, HEAD");
            sorry(request, response, 405, "This page takes no form.");
        }
    }

    private void respond(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        request.setCharacterEncoding("UTF-8");
        var user = new RequestUser(request, screen.site());
        if (!isReadable(request)) {
            sorry(request, response, 400, "What you sent cannot be read, or is too much at once.");
            return;
        }
        String reasonToReject = reasonToReject(user, request);
        if (reasonToReject != null) {
            sorry(request, response, 403, reasonToReject);
            return;
        }
        boolean isForm = screen.kind() == Screen.Kind.LOGIN && !request.getMethod().equals("POST");
        List<String> fields = isForm ? List.of() : fields(request);
        if (fields == null) {
            sorry(request, response, 400, "A field is missing, or longer than 100 characters.");
            return;
        }
        if (screen.kind() == Screen.Kind.LOGIN && !isForm && !user.signIn(fields)) {
            sorry(request, response, 403, "No customer of ours has this name and password.");
            return;
        }
        if (screen.kind() == Screen.Kind.LOGOUT) {
            user.signOut();
        }
        show(request, response, user, isForm, fields);
    }

    /// Otherwise a container would show the classes in which it failed.
    private static boolean isReadable(HttpServletRequest request) {
        try {
            request.getParameterMap();
            return true;
        } catch (IllegalStateException _) {
            return false; // as Servlet 6.1 specifies
        }
    }

    private @Nullable String reasonToReject(RequestUser user, HttpServletRequest request) {
        if (screen.needsSignIn() && user.name() == null) {
            return "Sign in first.";
        }
        boolean isForged =
                screen.needsToken() && request.getMethod().equals("POST") && !user.isTokenRight();
        return isForged ? "This form is too old. Go back, reload it and try again." : null;
    }

    /// Returns the fields, in their order; null if one is invalid. Pages that need none of them are
    /// shown without.
    private @Nullable List<String> fields(HttpServletRequest request) {
        var fields = new ArrayList<String>();
        for (String field : screen.fields()) {
            String value = request.getParameter(field);
            boolean isLeft = value == null || value.isBlank();
            if (isLeft && screen.isPost() || value != null && value.length() > TEXT_MAX) {
                return null;
            }
            fields.add(isLeft ? "1" : value.strip());
        }
        return fields;
    }

    private void show(
            HttpServletRequest request,
            HttpServletResponse response,
            RequestUser user,
            boolean isForm,
            List<String> fields)
            throws IOException {
        List<List<String>> rows;
        try {
            rows = isForm || screen.command() == 0 ? List.of() : query(user, fields);
        } catch (Backend.RefusedException e) {
            sorry(request, response, 404, "There is no such thing here.");
            return;
        } catch (IOException e) {
            getServletContext().log(screen.name() + ": " + e.getMessage());
            response.setHeader("Retry-After", "5");
            sorry(request, response, 503, "Our books cannot be read just now. Try again later.");
            return;
        }
        if (screen.kind() == Screen.Kind.PICTURE) {
            picture(request, response, rows);
            return;
        }
        String root = request.getContextPath();
        var page = new PageText(screen.name(), screen.title(), root);
        if (isForm) {
            page.form(screen, root + screen.path(), "");
        } else {
            page.table(screen.heads(), rows);
            addLinks(page, root, user);
        }
        page.weigh(
                screen.site().page(screen.name()), root + "/" + screen.site().path() + "/images/");
        page.send(response, 200);
    }

    private List<List<String>> query(RequestUser user, List<String> fields) throws IOException {
        var parameters = new ArrayList<String>();
        if (user.name() != null) {
            parameters.add(user.name());
        }
        // The simulator gets no password.
        parameters.addAll(screen.kind() == Screen.Kind.LOGIN ? List.of() : fields);
        return backend.query(screen.site().workload(), screen.command(), parameters);
    }

    /// Adds links and forms to the pages that users go to from here.
    private void addLinks(PageText page, String root, RequestUser user) {
        List<String> next = screen.site().next(screen.name());
        for (Screen to : Screens.ALL) {
            boolean isNext = to.site() == screen.site() && next.contains(to.name());
            if (isNext && !to.isPost() && to.fields().isEmpty()) {
                page.link(root + to.path(), to.title());
            } else if (isNext) {
                page.form(to, root + to.path(), to.needsToken() ? user.token() : "");
            }
        }
        if (screen.name().equals("file")) {
            page.link(root + "/support/downloads/0/0.txt", "Download the first");
        }
        if (screen.name().equals("check_detail_html")) {
            page.image(root + "/banking/check_image_front?check=0");
            page.image(root + "/banking/check_image_back?check=0");
        }
    }

    /// Serves a picture from a folder that is not public: only its owner may see a cheque.
    private void picture(
            HttpServletRequest request, HttpServletResponse response, List<List<String>> rows)
            throws IOException {
        int column = screen.name().endsWith("front") ? 1 : 2;
        boolean isKnown = !rows.isEmpty() && rows.getFirst().size() > column;
        String path = isKnown ? "/META-INF/checks" + rows.getFirst().get(column) : "";
        try (InputStream in = isKnown ? getServletContext().getResourceAsStream(path) : null) {
            if (in == null) {
                sorry(request, response, 404, "There is no such cheque.");
                return;
            }
            byte[] bytes = in.readAllBytes();
            response.setContentType("image/gif");
            response.setHeader("Cache-Control", "no-store");
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
    }

    private void sorry(
            HttpServletRequest request, HttpServletResponse response, int status, String says)
            throws IOException {
        String root = request.getContextPath();
        new PageText("Sorry", "Sorry", root)
                .say(says)
                .link(root + "/", "Home")
                .send(response, status);
    }
}
