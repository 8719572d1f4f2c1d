/// An engine of the page cache that compresses on a GPU by nvCOMP, through java.lang.foreign.
/// Requires native access, a CUDA device, and the libraries of CUDA and nvCOMP.
module dev.tandem.pagecache.gpu {
    requires dev.tandem.pagecache;
    requires static transitive org.jspecify;

    provides dev.tandem.pagecache.EngineProvider with
            dev.tandem.pagecache.gpu.GpuEngineProvider;
}
