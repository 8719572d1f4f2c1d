/// Static files: a folder served from the event loop where it can be, from a worker where not.
module dev.tandem.files {
    requires transitive dev.tandem.cache;
    requires transitive dev.tandem.http;
    requires com.github.luben.zstd_jni;
    requires static transitive org.jspecify;

    exports dev.tandem.files;
}
