package dev.tandem.spring;

import dev.tandem.http.HttpDate;
import dev.tandem.tomcat.TandemProtocol;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Globals;
import org.apache.catalina.connector.ResponseFacade;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/// Has the connector send a resource that is a file, as Catalina's default servlet does: by the
/// request attributes that Tomcat documents for sendfile.
final class ConnectorFile {
    /// Packages whose wrappers of a response only observe what is written, and when.
    private static final List<String> OBSERVERS =
            List.of(
                    "org.springframework.security.web.",
                    "org.springframework.session.web.",
                    "org.springframework.web.servlet.resource.");

    /// A resource of the application may have other bytes than its file.
    private static final String SPRING = "org.springframework.";

    private ConnectorFile() {}

    /// Names a part of the file, unless its bytes have to be written: because the resource is in a
    /// JAR or not Spring's, or a filter changes what is written, or the headers describe another
    /// state of it.
    ///
    /// @return whether the connector will send it
    static boolean send(Resource resource, long offset, long length, HttpOutputMessage to)
            throws IOException {
        if (length <= 0
                || !resource.getClass().getName().startsWith(SPRING)
                || !resource.isFile()
                || !(to instanceof ServletServerHttpResponse message)
                || !reachesConnector(message.getServletResponse())
                || !(RequestContextHolder.getRequestAttributes()
                        instanceof ServletRequestAttributes attributes)) {
            return false;
        }
        HttpServletRequest request = attributes.getRequest();
        if (!Boolean.TRUE.equals(request.getAttribute(Globals.SENDFILE_SUPPORTED_ATTR))
                || !isDescribed(resource, message.getServletResponse())) {
            return false;
        }
        request.setAttribute(Globals.SENDFILE_FILE_START_ATTR, offset);
        request.setAttribute(Globals.SENDFILE_FILE_END_ATTR, offset + length);
        request.setAttribute(TandemProtocol.COMPRESSES_FILE, true);
        request.setAttribute(Globals.SENDFILE_FILENAME_ATTR, resource.getFile().getCanonicalPath());
        return true;
    }

    private static boolean reachesConnector(ServletResponse response) {
        ServletResponse inner = response;
        while (inner instanceof ServletResponseWrapper wrapper) {
            String name = wrapper.getClass().getName();
            if (OBSERVERS.stream().noneMatch(name::startsWith)) {
                return false;
            }
            inner = wrapper.getResponse();
        }
        return inner instanceof ResponseFacade facade
                && !facade.isCommitted()
                && facade.getContentWritten() == 0;
    }

    /// Spring sets the date from an earlier look at the file.
    private static boolean isDescribed(Resource resource, HttpServletResponse response)
            throws IOException {
        String date = response.getHeader(HttpHeaders.LAST_MODIFIED);
        long seconds = TimeUnit.MILLISECONDS.toSeconds(resource.lastModified());
        return date == null || date.equals(HttpDate.format(seconds));
    }
}
