package dev.tandem.specweb;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The page with links to the three sites.
final class HomeServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String root = request.getContextPath();
        var page = new PageText("Home", "Three sites of SPECweb2005", root);
        page.link(root + "/banking/login", "The bank: sign in as 1, password1");
        page.link(root + "/ecommerce/index", "The shop");
        page.link(root + "/support/home", "Support");
        page.send(response, 200);
    }
}
