/// Recordings of a server: the activity of each worker and loop, read from JDK Flight Recorder's
/// files and written for Paraver and Perfetto.
module dev.tandem.trace {
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports dev.tandem.trace;
}
