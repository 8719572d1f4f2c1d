package dev.tandem.spring;

import dev.tandem.testkit.RawSite;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/// A running application, at a free port of this machine.
final class RunningApplication extends RawSite implements AutoCloseable {
    /// Its classes are on the class path, but there is no server.
    private static final String REDIS =
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration";

    final ServletWebServerApplicationContext context;

    private RunningApplication(ServletWebServerApplicationContext context) {
        super(portOf(context));
        this.context = context;
    }

    private static int portOf(ServletWebServerApplicationContext context) {
        return Objects.requireNonNull(context.getWebServer()).getPort();
    }

    int port() {
        return portOf(context);
    }

    /// @param properties as `name=value`
    static RunningApplication start(Class<?> application, String... properties) {
        var arguments =
                new ArrayList<>(
                        List.of(
                                "--server.address=127.0.0.1",
                                "--spring.main.banner-mode=off",
                                "--spring.jmx.enabled=false",
                                "--spring.autoconfigure.exclude=" + REDIS,
                                "--logging.level.root=warn"));
        if (Arrays.stream(properties).noneMatch(each -> each.startsWith("server.port="))) {
            arguments.add("--server.port=0");
        }
        for (String each : properties) {
            arguments.add("--" + each);
        }
        return new RunningApplication(
                (ServletWebServerApplicationContext)
                        SpringApplication.run(application, arguments.toArray(String[]::new)));
    }

    @Override
    public void close() {
        context.close();
    }
}
