package dev.tandem.bookstore;

import java.time.LocalDate;

/// What somebody says who registers; each as short as its column.
record NewCustomer(
        String firstName,
        String lastName,
        String phone,
        String email,
        LocalDate birthdate,
        String data,
        Place address) {
    /// @param country by name; one that is not known is the United States
    record Place(
            String street1,
            String street2,
            String city,
            String state,
            String zip,
            String country) {}
}
