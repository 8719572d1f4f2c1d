/// Event loops and connections: loops own the idle connections, and hand a connection over to a
/// worker while one of its requests runs.
@NullMarked
package dev.tandem.net;

import org.jspecify.annotations.NullMarked;
