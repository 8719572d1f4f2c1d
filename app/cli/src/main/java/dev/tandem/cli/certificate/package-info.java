/// Certificates for servers on this machine, made by keytool.
@NullMarked
package dev.tandem.cli.certificate;

import org.jspecify.annotations.NullMarked;
