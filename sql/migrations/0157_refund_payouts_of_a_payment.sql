-- The earlier refunds of a payment are counted before each step of another one, under the customer's lock.
CREATE INDEX refund_payouts_of_a_payment ON refund_payouts (app_id, store, transaction_id);
