/// Decides whether a request runs now, waits or is refused. Pure: no thread, socket or clock.
///
/// A server makes one [Admission] and keeps a [RouteLoad] where a route is matched, a [Session]
/// and a [Permit] with each connection. It calls, from whichever thread it is on:
///
/// - before it accepts, and after each tick: [Admission#mayAccept]; else it leaves newcomers in
/// the kernel's backlog; - a head was read, before its body: [Admission#decide]; - a run has
/// ended: [Permit#ended], [Permit#close], then [Admission#next] until it is null; - an exchange
/// becomes long-lived: [Permit#longLived], then [Admission#next]; - each tenth of a second:
/// [Admission#tick], and if it did something, [Admission#next]; - a connection closed:
/// [Admission#leave] if its request waited, [Admission#end] of its session; - a response sets a
/// session cookie: [Admission#remember].
///
/// ```
/// switch (admission.decide(permit, route, session, now)) {
///     case Run() -> workers.submit(task);           // or in place, if the route is short
///     case Wait() -> {}                             // the permit stands in its lane's queue
///     case Reject(var reason, int seconds) -> refuse(503, seconds);
/// }
///
/// try (permit) {                                    // on a worker
///     handle();
///     permit.ended(ANSWERED, now());
/// }
/// for (Permit next; (next = admission.next(now())) != null; ) {
///     switch (next.decision()) { ... }              // run it or refuse it, as above
/// }
/// ```
///
/// Answers that cost less than a decision, those that lie ready on the loop, need none.
/// Pipelined requests of one connection are decided one by one. [Limits] says how
/// many threads there may be.
///
/// What several threads touch: everything, under the one lock of [Admission]. The only field
/// read without it is the number of those that wait, so that ending a run where nobody waits
/// costs one lock and not two.
@NullMarked
package dev.tandem.admission;

import org.jspecify.annotations.NullMarked;
