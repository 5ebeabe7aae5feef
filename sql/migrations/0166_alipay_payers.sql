-- What names the payer in Alipay's notifications is not kept any more: nothing reads it. The names of its members are never escaped there.
UPDATE store_notifications
SET signed_payload = regexp_replace(
    regexp_replace(signed_payload, '(^|&)buyer_(?!pay_amount=)[^&]*', '', 'g'), '^&', '')
WHERE store = 'alipay' AND signed_payload ~ '(^|&)buyer_(?!pay_amount=)';
