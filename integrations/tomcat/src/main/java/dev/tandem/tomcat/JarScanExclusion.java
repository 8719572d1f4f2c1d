package dev.tandem.tomcat;

import java.net.URI;
import java.net.URISyntaxException;
import java.security.CodeSource;
import org.apache.tomcat.util.scan.Constants;

/// Tomcat looks through each jar of its `lib/` for tags and annotations at the start of every
/// application, but for those that `conf/catalina.properties` names, such as all of its own. Ours
/// has nothing of the kind, and looking takes half a second.
final class JarScanExclusion {
    private JarScanExclusion() {}

    /// Has our jar left out, too; before the first application is made.
    static void addOwnJar() {
        String known = System.getProperty(Constants.SKIP_JARS_PROPERTY);
        CodeSource source = JarScanExclusion.class.getProtectionDomain().getCodeSource();
        if (known == null || source == null) {
            return; // embedded: who has made it says what is looked through
        }
        try {
            String path = new URI(source.getLocation().toString()).getPath();
            String name = path == null ? "" : path.substring(path.lastIndexOf('/') + 1);
            if (name.endsWith(".jar")) {
                System.setProperty(Constants.SKIP_JARS_PROPERTY, known + "," + name);
            }
        } catch (URISyntaxException _) {
            // Slower, no more.
        }
    }
}
