package dev.tandem.bookstore;

import java.time.LocalDate;

/// The registration of a new customer; each field fits its column.
record NewCustomer(
        String firstName,
        String lastName,
        String phone,
        String email,
        LocalDate birthdate,
        String data,
        Place address) {
    /// @param country by name; an unknown one becomes the United States
    record Place(
            String street1,
            String street2,
            String city,
            String state,
            String zip,
            String country) {}
}
