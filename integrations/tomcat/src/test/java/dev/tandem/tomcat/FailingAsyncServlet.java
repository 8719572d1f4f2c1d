package dev.tandem.tomcat;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/// Starts async mode, and then fails or leaves the request open.
@WebServlet(urlPatterns = "/async", asyncSupported = true)
public final class FailingAsyncServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /// Called by Catalina.
    public FailingAsyncServlet() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        request.startAsync().setTimeout(0);
        if (request.getQueryString() == null) {
            throw new IllegalStateException("meant");
        }
    }
}
