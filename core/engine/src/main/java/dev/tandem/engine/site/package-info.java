/// Sites: hosts, routes behind filters, and what is learned and counted of routes.
@NullMarked
package dev.tandem.engine.site;

import org.jspecify.annotations.NullMarked;
