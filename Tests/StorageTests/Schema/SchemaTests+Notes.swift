extension SchemaTests {
    static let notes = [
        Breach("saved_views", "list_is_known", "UPDATE saved_views SET list = 'cats'"),
        Breach("saved_views", "a_view_has_a_short_name", "UPDATE saved_views SET name = ' '"),
        Breach(
            "saved_views",
            "one_view_per_name",
            "INSERT INTO saved_views SELECT gen_random_uuid(), app_id, staff_id, list, name, query, columns, is_shared, now(), now() FROM saved_views"
        ),
        Breach("saved_views", "a_query_fits_into_an_address", "UPDATE saved_views SET query = repeat('a', 2001)"),
        Breach("saved_views", "columns_are_named", "UPDATE saved_views SET columns = ''"),
        Breach("list_columns", "list_is_known", "UPDATE list_columns SET list = 'cats'"),
        Breach("list_columns", "columns_are_named", "UPDATE list_columns SET columns = 'a..b'"),
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
