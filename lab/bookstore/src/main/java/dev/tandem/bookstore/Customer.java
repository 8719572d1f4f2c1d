package dev.tandem.bookstore;

/// @param discount in percent
public record Customer(long id, String userName, String name, int discount, Address address) {
    /// Where somebody lives.
    ///
    /// @param country its name
    public record Address(
            long id, String street, String city, String state, String zip, String country) {}
}
