package dev.tandem.bookstore;

/// A customer.
///
/// @param discount in percent
public record Customer(long id, String userName, String name, int discount, Address address) {
    /// A postal address.
    ///
    /// @param country its name
    public record Address(
            long id, String street, String city, String state, String zip, String country) {}
}
