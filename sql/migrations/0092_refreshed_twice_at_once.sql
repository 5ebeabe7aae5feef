-- A device that refreshes twice at once has two successors of one token, until it uses either.
DROP INDEX a_refresh_token_has_one_successor;

CREATE INDEX refresh_tokens_by_what_they_replace ON refresh_tokens (replaces) WHERE replaces IS NOT NULL;
