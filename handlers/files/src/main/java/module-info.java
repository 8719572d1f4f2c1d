/// Static files: serves a folder, from the event loop where possible, otherwise by workers.
module dev.tandem.files {
    requires transitive dev.tandem.http;
    requires static transitive org.jspecify;

    exports dev.tandem.files;

    uses dev.tandem.files.Compressor;
    uses dev.tandem.files.FileCache.Provider;
}
