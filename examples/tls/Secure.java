import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;

/// HTTPS and HTTP/2, and plain HTTP that is redirected to it. README.md says how to start it.
void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "certs");
    try (Server server = serve(8080, 8443, folder)) {
        IO.println("https://localhost:8443/");
        server.join();
    }
}

/// @param folder has cert.pem, the chain, and key.pem; when both are renewed, `server.reloadTls()`
///     reads them again
static Server serve(int port, int securePort, Path folder) throws IOException {
    var files = CertificateFiles.pem(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    return Tandem.listen("127.0.0.1", port)
            .redirectToHttps(8443)
            .andListen("127.0.0.1", securePort)
            .tls(TlsSettings.of(files))
            .get("/", x -> x.send("Hello, by " + x.request().version().protocol() + "\n"))
            .start();
}
