/// Decides what starts, what waits and what is rejected. Pure: no thread, socket or clock.
module dev.tandem.admission {
    requires static transitive org.jspecify;

    exports dev.tandem.admission;
}
