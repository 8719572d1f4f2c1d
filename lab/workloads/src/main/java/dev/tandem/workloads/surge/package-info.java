/// Surge: a static file set and the stream of requests for it (Barford and Crovella, SIGMETRICS
/// 1998).
@NullMarked
package dev.tandem.workloads.surge;

import org.jspecify.annotations.NullMarked;
