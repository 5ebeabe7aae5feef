-- Addresses write an environment as the API does, and a saved view is an address.
UPDATE saved_views
SET query = regexp_replace(query, '([?&]environment=)(production|sandbox)(&|$)', '\1' || upper(substring(query FROM '[?&]environment=([a-z]+)')) || '\3')
WHERE query ~ '[?&]environment=(production|sandbox)(&|$)';
