/// Starts CGI programs by posix_spawn(3), through java.lang.foreign. Has native access.
module dev.tandem.cgi.posix {
    requires dev.tandem.cgi;
    requires static transitive org.jspecify;

    provides dev.tandem.cgi.Spawner with
            dev.tandem.cgi.posix.PosixSpawner;
}
