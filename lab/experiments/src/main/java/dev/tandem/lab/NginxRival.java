package dev.tandem.lab;

import java.nio.file.Path;
import java.util.List;

/// nginx, with a worker for each processor. It has no number of threads to set.
record NginxRival() implements Rival {
    @Override
    public String name() {
        return "nginx";
    }

    @Override
    public boolean hasCode() {
        return false;
    }

    @Override
    public String version(Toolbox tools) throws LabException, InterruptedException {
        return Toolbox.firstLine(List.of(program(tools).toString(), "-v"));
    }

    @Override
    public List<String> command(RivalPlan plan, Environment environment) throws LabException {
        return Nginx.command(program(environment.tools()), plan);
    }

    static Path program(Toolbox tools) throws LabException {
        return tools.need("nginx", "apt-get install nginx");
    }
}
