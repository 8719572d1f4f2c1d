/// The laboratory's commands: experiments, targets, rivals, the load generator and the shops.
@NullMarked
package dev.tandem.lab.commands;

import org.jspecify.annotations.NullMarked;
