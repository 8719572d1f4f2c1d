/// Decides whether a request, a TLS handshake or the use of a database connection starts now, waits
/// or is rejected. Pure: no thread, socket or clock.
///
/// **Requests.** A server makes one [Admission] and keeps a [RouteLoad] where a route is matched, a
/// [Session] and a [Permit] with each connection. It calls, from any thread:
///
/// - before it accepts, and after each tick: [Admission#mayAccept]; else it leaves new clients in
///   the kernel's backlog;
/// - a head was read, before its body: [Permit#decide];
/// - a run has ended: [Permit#complete], or [Permit#close] if it has failed, then
///   [Admission#startQueued];
/// - an exchange becomes long-lived: [Permit#detach], then [Admission#startQueued];
/// - each tenth of a second: [Admission#tick], and if it did something, [Admission#startQueued];
/// - a connection closed: [Permit#cancel] if its request waited, [Admission#closeSession];
/// - a response sets a session cookie: [Admission#remember].
///
/// ```
/// switch (permit.decide(route, database, session, now)) {
///     case Run() -> run();                          // on a worker; in place if short
///     case Wait() -> {}                             // queued: the permit's task is called later
///     case Reject(var reason, int seconds) -> respond503(seconds);
/// }
///
/// handle();                                         // on a worker
/// permit.complete(now());
/// admission.startQueued(now());                     // tasks of other permits: run() or reject()
/// ```
///
/// Responses that cost less than a decision, those that are prepared on the loop, need none.
/// Pipelined requests of one connection are decided one by one.
///
/// A request of a route that uses a database is granted a connection first, by the database's
/// [DatabaseLane]: [Permit#decide] includes that, and [Permit#useConnection] hands it over. A
/// thread that needs another connection requests a [DatabasePermit] of the lane.
///
/// **Handshakes** are decided by [HandshakeAdmission].
///
/// All use one queue type ([PermitQueue]), one clock ([ElapsedClock]) and one rejection path
/// ([Rejections]); what is queued is an [AdmissionTask]. Requests, each database's connections and
/// handshakes have one lock each for all of their state. The only field read without it is the
/// number of requests that wait, so that ending a run while none waits takes one lock and not two.
@NullMarked
package dev.tandem.admission;

import org.jspecify.annotations.NullMarked;
