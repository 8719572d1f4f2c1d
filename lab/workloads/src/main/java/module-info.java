/// Workloads of the literature as values: who asks for what, in which order, after which pause.
module dev.tandem.workloads {
    requires org.apache.commons.numbers.gamma;
    requires static transitive org.jspecify;

    exports dev.tandem.workloads;
    exports dev.tandem.workloads.surge;
}
