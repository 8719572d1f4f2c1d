package dev.tandem.cgi.posix;

import dev.tandem.cgi.Spawner;

/// The ways to start programs; the same tests run for both.
enum SpawnerKind {
    JDK {
        @Override
        Spawner spawner() {
            return Spawner.jdk();
        }
    },
    POSIX {
        @Override
        Spawner spawner() {
            return new PosixSpawner();
        }
    };

    abstract Spawner spawner();
}
