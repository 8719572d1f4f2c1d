package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The accept gate opened or closed.
@Name("dev.tandem.AcceptGateChanged")
@Label("Accept Gate Changed")
@Description("The server paused accepting connections, or resumed it")
@Category("Tandem")
@StackTrace(false)
final class AcceptGateChangedEvent extends Event {
    @Label("Is Open")
    final boolean isOpen;

    AcceptGateChangedEvent(boolean isOpen) {
        this.isOpen = isOpen;
    }
}
