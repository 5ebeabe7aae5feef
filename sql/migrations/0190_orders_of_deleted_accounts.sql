-- Nothing can be paid any more for an account that was deleted.
ALTER TABLE checkouts
    DROP CONSTRAINT close_reason_is_known,
    ADD CONSTRAINT close_reason_is_known CHECK (
        close_reason IN ('expired', 'replaced', 'refused', 'closed_by_store', 'account_deleted'));
-- What accounts that were deleted before this left behind.
UPDATE checkouts k
SET payer_hash = NULL, payer_mask = NULL, bank = NULL, return_url = NULL, client_address = NULL
FROM customers c
WHERE c.id = k.customer_id AND c.deleted_at IS NOT NULL
    AND num_nonnulls(k.payer_hash, k.payer_mask, k.bank, k.return_url, k.client_address) > 0;
