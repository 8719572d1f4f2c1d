/// The bank, the shop and the support site of SPECweb2005, and the simulator that generates their
/// data.
@NullMarked
package dev.tandem.specweb;

import org.jspecify.annotations.NullMarked;
