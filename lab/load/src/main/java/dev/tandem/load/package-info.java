/// A load generator: plays a [Workload][dev.tandem.load.Workload] against a server as a
/// [Load][dev.tandem.load.Load] says, and tells what came of it as a
/// [LoadReport][dev.tandem.load.LoadReport].
@NullMarked
package dev.tandem.load;

import org.jspecify.annotations.NullMarked;
