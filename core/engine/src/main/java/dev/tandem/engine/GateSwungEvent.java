package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The gate was opened or shut.
@Name("dev.tandem.GateSwung")
@Label("Gate Swung")
@Description("The server stopped to accept connections, or began again")
@Category("Tandem")
@StackTrace(false)
final class GateSwungEvent extends Event {
    @Label("Is Open")
    final boolean isOpen;

    GateSwungEvent(boolean isOpen) {
        this.isOpen = isOpen;
    }
}
