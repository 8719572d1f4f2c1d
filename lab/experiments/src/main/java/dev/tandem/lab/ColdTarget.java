package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;

/// Tandem as its users start it: by the launcher, with the AOT cache of the command.
///
/// @param launcher all arguments before `lab target`
/// @param isServlet whether under Catalina
record ColdTarget(TargetCommand launcher, boolean isServlet) implements Rival {
    @Override
    public String name() {
        return OwnRival.TANDEM.name();
    }

    @Override
    public boolean hasCode() {
        return true;
    }

    @Override
    public String version(Toolbox tools) {
        return OwnRival.TANDEM.version(tools);
    }

    @Override
    public List<String> command(RivalPlan plan, Environment environment) {
        var command = new ArrayList<String>(launcher.at(plan.port(), plan.root()));
        if (isServlet) {
            command.add("--servlet");
        }
        Certificate certificate = plan.settings().certificate();
        if (certificate != null) {
            command.addAll(certificate.words(plan.tlsPort()));
        }
        return command;
    }
}
