import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.Collections;

/// For Tomcat, and for our server with Tomcat's container.
@WebServlet("/*")
public class PairServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String query = request.getQueryString();
        String saw =
                Saw.request(
                        request.getRemotePort(),
                        request.getMethod(),
                        request.getRequestURI() + (query == null ? "" : "?" + query),
                        Collections.list(request.getHeaders("Host")),
                        request.getServerName(),
                        request.getInputStream());
        response.setHeader("X-Saw", saw);
        response.setContentLength(Saw.BODY.length);
        response.getOutputStream().write(Saw.BODY);
    }
}
