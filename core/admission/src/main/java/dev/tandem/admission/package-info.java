/// Decides whether a request, a TLS handshake or the use of a database connection starts now, waits
/// or is rejected. Pure: no thread, socket or clock.
///
/// **Requests.** A server makes one [Admission] and keeps a [RouteLoad] where a route is matched, a
/// [Session] and a [Permit] with each connection. It calls, from any thread:
///
/// - before it accepts, and after each tick: [Admission#mayAccept]; else it leaves new clients in
///   the kernel's backlog;
/// - a head was read, before its body: [Admission#decide];
/// - a run has ended: [Permit#ended], [Permit#close], then [Admission#startQueued];
/// - an exchange becomes long-lived: [Permit#longLived], then [Admission#startQueued];
/// - each tenth of a second: [Admission#tick], and if it did something, [Admission#startQueued];
/// - a connection closed: [Admission#leave] if its request waited, [Admission#end] of its session;
/// - a response sets a session cookie: [Admission#remember].
///
/// ```
/// switch (admission.decide(permit, route, session, now)) {
///     case Run() -> run();                          // on a worker; in place if short
///     case Wait() -> {}                             // queued: the permit's task is called later
///     case Reject(var reason, int seconds) -> respond503(seconds);
/// }
///
/// try (permit) {                                    // on a worker
///     handle();
///     permit.ended(ANSWERED, now());
/// }
/// admission.startQueued(now());                     // tasks of other permits: run() or reject()
/// ```
///
/// Responses that cost less than a decision, those that are prepared on the loop, need none.
/// Pipelined requests of one connection are decided one by one.
///
/// **Handshakes** are decided by [HandshakeAdmission], **database connections** by a
/// [DatabaseLane] each. All use one queue type, one clock ([ElapsedClock]) and one rejection path
/// ([Rejections]), and what is queued is an [AdmissionTask].
///
/// Each of the three has one lock for all of its state. The only field read without it is the
/// number of requests that wait, so that ending a run while none waits takes one lock and not two.
@NullMarked
package dev.tandem.admission;

import org.jspecify.annotations.NullMarked;
