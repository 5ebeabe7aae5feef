extension SchemaTests {
    static let grants = [
        Breach("apps", "support_gives_no_less_than_nothing", "UPDATE apps SET support_grant_limit_days = -1"),
        Breach("apps", "approval_is_asked_from_one_customer_on", "UPDATE apps SET bulk_approval_from = 0"),
        Breach("grants", "kind_is_known", "UPDATE grants SET kind = 'present'"),
        Breach("grants", "a_grant_ends_after_it_starts", "UPDATE grants SET ends_at = starts_at"),
        Breach("grants", "versions_count_from_one", "UPDATE grants SET version = 0"),
        Breach("grants", "only_a_trial_converts", "UPDATE grants SET converted_at = ends_at, ended_at = ends_at"),
        Breach("grants", "a_conversion_ends_a_trial", "UPDATE grants SET kind = 'trial', converted_at = ends_at"),
        Breach("grants", "only_a_trial_is_superseded", "UPDATE grants SET superseded_at = now()"),
        Breach("grants", "a_trial_has_an_end", "UPDATE grants SET kind = 'trial', ends_at = NULL"),
        Breach("trial_offers", "a_trial_lasts_at_least_one", trialOffer(count: "0")),
        Breach("trial_offers", "period_unit_is_known", trialOffer(unit: "'hour'")),
        Breach(
            "suspensions",
            "a_suspension_is_lifted_after_it_began",
            "UPDATE suspensions SET lifted_at = suspended_at - interval '1 second'"
        ),
        Breach(
            "entitlement_actions",
            "kind_is_known",
            "UPDATE entitlement_actions SET kind = 'command' WHERE undoes IS NULL"
        ),
        Breach("entitlement_actions", "what_is_taken_back_is_named", "UPDATE entitlement_actions SET undoes = NULL"),
        Breach(
            "entitlement_actions",
            "an_action_is_taken_back_once",
            """
            UPDATE entitlement_actions SET kind = 'undo', undoes = '00000000-0000-7000-8000-000000000021'
            WHERE bulk_line = 2
            """
        ),
        Breach(
            "entitlement_actions",
            "one_action_per_bulk_line",
            "UPDATE entitlement_actions SET bulk_line = 1 WHERE bulk_line = 2"
        ),
        Breach("entitlement_actions", "a_bulk_line_is_of_a_job", "UPDATE entitlement_actions SET bulk_job_id = NULL"),
    ]

    static let bulk = [
        Breach("bulk_jobs", "kind_is_known", "UPDATE bulk_jobs SET kind = 'command', plan_id = NULL"),
        Breach("bulk_jobs", "state_is_known", "UPDATE bulk_jobs SET state = 'odd'"),
        Breach("bulk_jobs", "a_plan_is_named_where_one_is_given", "UPDATE bulk_jobs SET plan_id = NULL"),
        Breach("bulk_jobs", "days_are_from_1_to_3650", "UPDATE bulk_jobs SET days = 0"),
        Breach("bulk_jobs", "nobody_approves_their_own", "UPDATE bulk_jobs SET approved_by = requested_by"),
        Breach("bulk_jobs", "what_needs_approval_waits_for_it", "UPDATE bulk_jobs SET needs_approval = true"),
        Breach(
            "bulk_jobs",
            "a_list_is_of_customers",
            "UPDATE bulk_jobs SET origin = 'Refunds', origin_list = 'orders'"
        ),
        Breach("bulk_jobs", "a_view_has_a_name", "UPDATE bulk_jobs SET origin = NULL, origin_list = 'customers'"),
        Breach("bulk_job_items", "state_is_known", "UPDATE bulk_job_items SET state = 'odd', action_id = NULL"),
        Breach("bulk_job_items", "what_is_applied_names_its_action", "UPDATE bulk_job_items SET action_id = NULL"),
        Breach("bulk_job_items", "what_is_undone_names_its_action", "UPDATE bulk_job_items SET state = 'undone'"),
    ]

    private static func trialOffer(count: String = "7", unit: String = "'day'") -> String {
        """
        INSERT INTO trial_offers (app_id, plan_id, period_count, period_unit)
        SELECT app_id, id, \(count), \(unit) FROM plans LIMIT 1
        """
    }
}
