/// The API of the server: [Tandem] builds a server, [Server] is a running one, [Options] has every
/// limit.
@NullMarked
package dev.tandem;

import org.jspecify.annotations.NullMarked;
