-- The operators of pgroonga by plain search, without its index: `&@` finds a keyword, `&@~` all words of a query.

create function pgroonga_match_term(target text, term text) returns boolean
  language sql immutable strict as $$ select position(lower(term) in lower(target)) > 0 $$;
create function pgroonga_match_term(target text[], term text) returns boolean
  language sql immutable strict as $$ select exists (select from unnest(target) as each where position(lower(term) in lower(each)) > 0) $$;
create function pgroonga_match_query(target text, query text) returns boolean
  language sql immutable strict
as $$ select coalesce(bool_and(position(lower(word) in lower(target)) > 0), false) from regexp_split_to_table(trim(query), '\s+') as word where word <> '' $$;
create operator &@ (function = pgroonga_match_term, leftarg = text, rightarg = text);
create operator &@ (function = pgroonga_match_term, leftarg = text[], rightarg = text);
create operator &@~ (function = pgroonga_match_query, leftarg = text, rightarg = text);
create function pgroonga_score(tableoid oid, ctid tid) returns double precision language sql immutable as $$ select 1::double precision $$;
create function pgroonga_escape(value text) returns text language sql immutable as $$ select regexp_replace(value, '([\\()"<>~*:+-])', '\\\1', 'g') $$;
