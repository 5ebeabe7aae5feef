extension SchemaTests {
    static let notes = [
        Breach(
            "customer_notes",
            "a_note_says_something",
            "INSERT INTO customer_notes SELECT gen_random_uuid(), customer_id, staff_id, author, ' ', now() FROM customer_notes"
        ),
        Breach("customer_notes", "notes_are_never_rewritten", "UPDATE customer_notes SET text = 'other'"),
        Breach(
            "customer_notes",
            "notes_are_never_rewritten",
            "UPDATE customer_notes SET text = 'other', withdrawn_at = now()"
        ),
        Breach("customer_notes", "notes_are_never_removed", "DELETE FROM customer_notes"),
    ]
}
