package dev.tandem.tomcat;

import java.net.URI;
import java.net.URISyntaxException;
import java.security.CodeSource;
import org.apache.tomcat.util.scan.Constants;

/// Excludes our jar from Tomcat's scanning. At each application's start Tomcat scans every jar of
/// its `lib/` for tags and annotations, except those listed in `conf/catalina.properties`, such as
/// all of its own. Ours has none, and scanning it takes half a second.
final class JarScanExclusion {
    private JarScanExclusion() {}

    /// Adds our jar to the excluded ones; to be called before the first application is created.
    static void addOwnJar() {
        String known = System.getProperty(Constants.SKIP_JARS_PROPERTY);
        CodeSource source = JarScanExclusion.class.getProtectionDomain().getCodeSource();
        if (known == null || source == null) {
            return; // embedded: the embedding program decides what is scanned
        }
        try {
            String path = new URI(source.getLocation().toString()).getPath();
            String name = path == null ? "" : path.substring(path.lastIndexOf('/') + 1);
            if (name.endsWith(".jar")) {
                System.setProperty(Constants.SKIP_JARS_PROPERTY, known + "," + name);
            }
        } catch (URISyntaxException _) {
            // Then the start is slower, nothing else.
        }
    }
}
