/// The rival architectures: Tandem's own engine on other sockets, so that only the threading
/// differs.
@NullMarked
package dev.tandem.lab.rivals;

import org.jspecify.annotations.NullMarked;
