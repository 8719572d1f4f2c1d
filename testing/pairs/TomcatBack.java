import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

import java.nio.file.Files;

/// Tomcat with its own connector.
final class TomcatBack {
    private TomcatBack() {}

    public static void main(String[] args) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("h1-pairs-tomcat-").toString());
        var connector = new Connector();
        connector.setPort(Integer.parseInt(args[0]));
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "pair", new PairServlet()).addMapping("/*");
        tomcat.start();
        tomcat.getServer().await();
    }
}
