package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// A folder of programs that do as little as an experiment needs to run completely.
record FakeTools(Path folder) {

    /// Prints that it sent 1,000 requests.
    static final String WRK =
            """
            #!/bin/sh
            echo "     50%    1.00ms"
            echo "     99%    2.00ms"
            echo "  1000 requests in 1.00s, 1.00MB read"
            echo "Requests/sec:   1000.00"
            """;

    static final String WRK_WITHOUT_RESPONSES =
            """
            #!/bin/sh
            echo "unable to connect"
            """;

    /// Runs its command on any processor.
    private static final String TASKSET =
            """
            #!/bin/sh
            shift 2
            exec "$@"
            """;

    /// With a `taskset`, which is needed where there are two processors.
    static FakeTools in(Path folder) throws IOException {
        return new FakeTools(folder).with("taskset", TASKSET);
    }

    FakeTools with(String name, String script) throws IOException {
        Path file = Files.writeString(folder.resolve(name), script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return this;
    }

    Toolbox box() {
        return new Toolbox(List.of(folder));
    }
}
