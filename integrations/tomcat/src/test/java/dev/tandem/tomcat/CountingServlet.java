package dev.tandem.tomcat;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;

/// Counts requests in the session, and prints the process id.
@WebServlet("/visits")
public final class CountingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpSession session = request.getSession();
        int visits = session.getAttribute("visits") instanceof Integer known ? known + 1 : 1;
        session.setAttribute("visits", visits);
        response.getWriter().print(visits + " " + ProcessHandle.current().pid());
    }
}
