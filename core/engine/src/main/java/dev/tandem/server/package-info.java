/// The engine. [Tandem] builds a server, [Server] is one that runs.
@NullMarked
package dev.tandem.server;

import org.jspecify.annotations.NullMarked;
