-- A search compares texts without case, marks and the forms of characters: composed or in two pieces, full width or half, with
-- any of the four Turkish i's, and without the marks that turn the writing round. `Işık` is found as ISIK, `Şule` as S + U+0327 and as sule, `ＡＢＣ` as abc.
CREATE OR REPLACE FUNCTION search_key(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN octet_length($1) = length($1) THEN lower(translate($1, 'I', 'i'))
        ELSE lower(translate(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g'), 'Iı', 'ii')) END;

-- Rows whose key is another one now; the indexes get it with the row.
UPDATE customers SET key = key
WHERE search <> search_key(key || ' ' || coalesce(external_id, '') || ' ' || coalesce(name, '') || ' ' || coalesce(email, ''));
UPDATE orders SET number = number
WHERE search <> search_key(number || ' ' || transaction_id || ' ' || original_transaction_id || ' ' || product_name);
