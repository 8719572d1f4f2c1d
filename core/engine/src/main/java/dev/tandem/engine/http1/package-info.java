/// HTTP/1.1 and 1.0: connections, and the exchanges on them.
@NullMarked
package dev.tandem.engine.http1;

import org.jspecify.annotations.NullMarked;
