/// A load generator: runs a [Workload][dev.tandem.load.Workload] against a server as a
/// [Load][dev.tandem.load.Load] defines, and returns a [LoadReport][dev.tandem.load.LoadReport].
@NullMarked
package dev.tandem.load;

import org.jspecify.annotations.NullMarked;
