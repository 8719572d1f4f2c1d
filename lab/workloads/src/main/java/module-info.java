/// Workloads of the literature as values: the requests of users, their order and their pauses.
module dev.tandem.workloads {
    requires org.apache.commons.numbers.gamma;
    requires static transitive org.jspecify;

    exports dev.tandem.workloads;
    exports dev.tandem.workloads.surge;
}
