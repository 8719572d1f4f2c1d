package dev.tandem.config;

import dev.tandem.cgi.Cgi;
import dev.tandem.fastcgi.FastCgi;
import dev.tandem.files.Folder;
import dev.tandem.files.FolderOptions;
import dev.tandem.http.Handler;
import dev.tandem.proxy.Proxy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A handler with a resource that must be closed. A new configuration with the same service reuses
/// it.
///
/// @param isIdle whether nothing would be lost if it were closed now
record Backend(Handler handler, AutoCloseable resource, Idle isIdle) {

    @FunctionalInterface
    interface Idle {
        boolean get();
    }

    /// @param root the folder that the site's `/` serves, if there is one
    /// @param folders creates handlers of files that are not scripts
    static Backend of(Service service, @Nullable Path root, FolderFactory folders) {
        return switch (service) {
            case Service.CgiPrograms(Path folder, var options) -> {
                Cgi cgi = Cgi.folder(folder, options.withDocumentRoot(root));
                yield new Backend(cgi, cgi, () -> cgi.processCount() == 0);
            }
            case Service.ReverseProxy(var to, var options) -> {
                Proxy proxy = Proxy.to(to, options);
                yield new Backend(proxy, proxy, () -> true); // connections in use are closed later
            }
            case Service.FastCgiScripts(Path folder, var to, var options) -> {
                Folder others = folders.of(folder, FolderOptions.DEFAULT);
                FastCgi scripts = FastCgi.folder(folder, to, options).withFallback(others);
                yield new Backend(scripts, scripts, () -> true);
            }
            default -> throw new IllegalArgumentException(service + " is the server's own");
        };
    }

    void close() {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException("closing " + handler + " failed", e);
        }
    }
}
