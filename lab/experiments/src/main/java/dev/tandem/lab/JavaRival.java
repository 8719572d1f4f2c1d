package dev.tandem.lab;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server for the JVM from Maven Central, with the target's endpoints as servlets.
///
/// @param name as experiments name it
/// @param product the product's folder in `lab/rivals`
/// @param jar the versioned jar's name, without the version
/// @param isVirtual whether its handlers run on virtual threads
/// @param hasTls whether it uses TLS here
/// @param built its location
record JavaRival(
        String name,
        String product,
        String jar,
        boolean isVirtual,
        boolean hasTls,
        BuiltRivals built)
        implements Rival {
    /// Name of Tomcat 8.0 with its blocking connector.
    static final String BLOCKING = "tomcat-blocking";

    static final String NETTY = "netty";
    static final String TOMCAT = "tomcat";

    static JavaRival tomcat(boolean isVirtual, BuiltRivals built) {
        String name = isVirtual ? "tomcat-virtual" : TOMCAT;
        return new JavaRival(name, "tomcat", "tomcat-embed-core", isVirtual, true, built);
    }

    /// The last Tomcat with a blocking connector, the papers' rival: `/hello`, files and web
    /// applications, a thread for each connection.
    static JavaRival tomcatBlocking(BuiltRivals built) {
        return new JavaRival(BLOCKING, BLOCKING, "tomcat-embed-core", false, true, built);
    }

    static JavaRival jetty(boolean isVirtual, BuiltRivals built) {
        String name = isVirtual ? "jetty-virtual" : "jetty";
        return new JavaRival(name, "jetty", "jetty-server", isVirtual, false, built);
    }

    static JavaRival undertow(BuiltRivals built) {
        return new JavaRival("undertow", "undertow", "undertow-core", false, false, built);
    }

    /// Helidon has virtual threads only.
    static JavaRival helidon(BuiltRivals built) {
        return new JavaRival("helidon", "helidon", "helidon-webserver", true, false, built);
    }

    /// Has `/hello` and WebSockets only: see [LiveExperiment] and [ColdExperiment].
    static JavaRival netty(BuiltRivals built) {
        return new JavaRival(NETTY, NETTY, "netty-codec-http", false, false, built);
    }

    /// Returns whether what it runs are servlets, as those of `tandem lab target --servlet`.
    boolean hasServlets() {
        return List.of("tomcat", "jetty", "undertow").contains(product);
    }

    @Override
    public boolean hasCode() {
        return !name.equals(BLOCKING);
    }

    private void needsTls() throws LabException {
        if (!hasTls) {
            throw new LabException(name + " has no TLS in the lab: leave it out of this");
        }
    }

    @Override
    public String version(Toolbox tools) throws LabException {
        return product + " " + built.version(product, jar) + ", on JDK " + Runtime.version();
    }

    /// With this process's JVM, and the flag that Tandem also gets from its launcher.
    @Override
    public List<String> command(RivalPlan plan, Environment environment) throws LabException {
        Path folder = built.folder(product);
        RivalSettings settings = plan.settings();
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseCompactObjectHeaders");
        command.add("-cp");
        command.add(folder.resolve(product + ".jar") + File.pathSeparator + folder + "/lib/*");
        command.add("rival.Main");
        command.add(Integer.toString(plan.port()));
        command.add(plan.root().toString());
        command.add(plan.folder().toString());
        command.add(Integer.toString(settings.threads()));
        command.add(Long.toString(settings.keepAlive().toMillis()));
        command.add(isVirtual ? "virtual" : "platform");
        Certificate certificate = settings.certificate();
        if (certificate != null) {
            needsTls();
            command.add(Integer.toString(plan.tlsPort()));
            command.add(certificate.chain().toString());
            command.add(certificate.key().toString());
        }
        return command;
    }
}
