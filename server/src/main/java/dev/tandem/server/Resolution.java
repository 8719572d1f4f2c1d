package dev.tandem.server;

import dev.tandem.http.Bad;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.Target;
import dev.tandem.http.h1.Head;

/// What a request line turns out to lead to.
sealed interface Resolution permits Resolved, Resolution.Refused {

    /// Nowhere: its target is none.
    record Refused(Bad bad) implements Resolution {}

    /// Looks in the kit's cache first. The head then knows its target.
    static Resolution of(Head head, Kit kit, boolean isSecure) {
        Resolved known = kit.targets(isSecure).find(head);
        if (known != null) {
            head.target(known.target());
            return known;
        }
        ParsedTarget parsed =
                Target.parse(head.method(), head.bytes(), head.targetFrom(), head.targetTo());
        return switch (parsed) {
            case ParsedTarget.Refused(Bad bad) -> new Refused(bad);
            case Target target -> {
                head.target(target);
                Resolved resolved =
                        kit.engine().site().over(isSecure).resolve(head.method(), target);
                kit.targets(isSecure).put(head, resolved);
                yield resolved;
            }
        };
    }
}
