/// What users of the server see: [Tandem] builds a server, [Server] is one that runs, [Options] has
/// every limit.
@NullMarked
package dev.tandem;

import org.jspecify.annotations.NullMarked;
