/// Programs that stay answer: FastCGI 1.0, as php-fpm speaks it.
@NullMarked
package dev.tandem.fastcgi;

import org.jspecify.annotations.NullMarked;
