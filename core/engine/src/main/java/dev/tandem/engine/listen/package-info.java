/// Where a server listens, and which protocol it speaks there.
@NullMarked
package dev.tandem.engine.listen;

import org.jspecify.annotations.NullMarked;
