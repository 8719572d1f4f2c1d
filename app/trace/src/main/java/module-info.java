/// Recordings of a server: what each worker and loop did, read from JDK Flight Recorder's files and
/// written for Paraver and Perfetto.
module dev.tandem.trace {
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports dev.tandem.trace;
}
