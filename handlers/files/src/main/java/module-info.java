/// Static files: a folder served from the event loop where it can be, from a worker where not.
module dev.tandem.files {
    requires transitive dev.tandem.http;
    requires static transitive org.jspecify;

    exports dev.tandem.files;

    uses dev.tandem.files.Compressor;
    uses dev.tandem.files.FileCache.Provider;
}
