package dev.tandem.testing;

/// Sends requests to a server of a test. Redirects are not followed, and cookies are not kept.
public interface TestClient {

    /// Begins a request, which [TestRequest#send()] sends.
    ///
    /// @param target in origin form, percent-encoded: a path, perhaps with a query
    TestRequest request(String method, String target);

    /// Sends a GET request.
    default TestResponse get(String target) {
        return request("GET", target).send();
    }

    /// Sends a DELETE request.
    default TestResponse delete(String target) {
        return request("DELETE", target).send();
    }

    /// Sends an object by POST, as the mapper writes it.
    default TestResponse post(String target, Object body) {
        return request("POST", target).json(body).send();
    }

    /// Sends an object by PUT, as the mapper writes it.
    default TestResponse put(String target, Object body) {
        return request("PUT", target).json(body).send();
    }

    /// Sends an object by PATCH, as the mapper writes it.
    default TestResponse patch(String target, Object body) {
        return request("PATCH", target).json(body).send();
    }
}
