-- JSON Schema (the keywords of draft 2020-12 and of draft 7 that need no outside document). `format` and references to other
-- documents are not looked at, as the standard allows.

create function jsonschema_problems(schema jsonb, instance jsonb, root jsonb, at text) returns setof text
  language plpgsql immutable parallel safe
as $$
declare
  kind text := jsonb_typeof(instance);
  found text[];
  item record;
  number numeric;
  named jsonb;
begin
  if jsonb_typeof(schema) = 'boolean' then
    if schema = 'false' then return next format('%s is not allowed', at); end if;
    return;
  elsif jsonb_typeof(schema) is distinct from 'object' then
    raise exception 'a JSON schema is an object or a boolean' using errcode = '22023';
  end if;

  if schema ? '$ref' then
    named := case when schema ->> '$ref' = '#' then root when schema ->> '$ref' like '#/%' then
      root #> (select array_agg(replace(replace(replace(step, '%25', '%'), '~1', '/'), '~0', '~'))
        from unnest(string_to_array(substr(schema ->> '$ref', 3), '/')) as step) end;
    if named is not null then
      return query select @extschema@.jsonschema_problems(named, instance, root, at);
    end if;
  end if;

  if schema ? 'type' then
    found := case when jsonb_typeof(schema -> 'type') = 'array' then array(select jsonb_array_elements_text(schema -> 'type'))
      else array[schema ->> 'type'] end;
    if not (kind = any (found) or (kind = 'number' and 'integer' = any (found) and mod((instance #>> '{}')::numeric, 1) = 0)) then
      return next format('%s is not of type %s', at, array_to_string(found, ' or '));
    end if;
  end if;
  if schema ? 'enum' and not exists (select from jsonb_array_elements(schema -> 'enum') as allowed where allowed = instance) then
    return next format('%s is not one of %s', at, schema -> 'enum');
  end if;
  if schema ? 'const' and instance <> schema -> 'const' then
    return next format('%s is not %s', at, schema -> 'const');
  end if;

  if kind = 'number' then
    number := (instance #>> '{}')::numeric;
    if number < (schema ->> 'minimum')::numeric then return next format('%s is less than %s', at, schema ->> 'minimum'); end if;
    if number > (schema ->> 'maximum')::numeric then return next format('%s is more than %s', at, schema ->> 'maximum'); end if;
    if number <= (schema ->> 'exclusiveMinimum')::numeric then return next format('%s is not more than %s', at, schema ->> 'exclusiveMinimum'); end if;
    if number >= (schema ->> 'exclusiveMaximum')::numeric then return next format('%s is not less than %s', at, schema ->> 'exclusiveMaximum'); end if;
    if mod(number, nullif((schema ->> 'multipleOf')::numeric, 0)) <> 0 then return next format('%s is no multiple of %s', at, schema ->> 'multipleOf'); end if;
  elsif kind = 'string' then
    if char_length(instance #>> '{}') < (schema ->> 'minLength')::numeric then return next format('%s is shorter than %s', at, schema ->> 'minLength'); end if;
    if char_length(instance #>> '{}') > (schema ->> 'maxLength')::numeric then return next format('%s is longer than %s', at, schema ->> 'maxLength'); end if;
    if (instance #>> '{}') !~ (schema ->> 'pattern') then return next format('%s does not match %s', at, schema ->> 'pattern'); end if;
  elsif kind = 'array' then
    return query select @extschema@.jsonschema_array_problems(schema, instance, root, at);
  elsif kind = 'object' then
    return query select @extschema@.jsonschema_object_problems(schema, instance, root, at);
  end if;

  for item in select value as part, place from jsonb_array_elements(coalesce(schema -> 'allOf', '[]')) with ordinality as parts (value, place) loop
    return query select @extschema@.jsonschema_problems(item.part, instance, root, at);
  end loop;
  if schema ? 'anyOf' and not exists (select from jsonb_array_elements(schema -> 'anyOf') as part
      where not exists (select @extschema@.jsonschema_problems(part, instance, root, at))) then
    return next format('%s matches none of anyOf', at);
  end if;
  if schema ? 'oneOf' and (select count(*) from jsonb_array_elements(schema -> 'oneOf') as part
      where not exists (select @extschema@.jsonschema_problems(part, instance, root, at))) <> 1 then
    return next format('%s does not match exactly one of oneOf', at);
  end if;
  if schema ? 'not' and not exists (select @extschema@.jsonschema_problems(schema -> 'not', instance, root, at)) then
    return next format('%s matches what it must not', at);
  end if;
  if schema ? 'if' then
    named := case when exists (select @extschema@.jsonschema_problems(schema -> 'if', instance, root, at)) then schema -> 'else' else schema -> 'then' end;
    if named is not null then
      return query select @extschema@.jsonschema_problems(named, instance, root, at);
    end if;
  end if;
end
$$;

create function jsonschema_array_problems(schema jsonb, instance jsonb, root jsonb, at text) returns setof text
  language plpgsql immutable parallel safe
as $$
declare
  -- Draft 7 writes the leading items as an array under `items`, and the rest as `additionalItems`.
  tuple jsonb := coalesce(schema -> 'prefixItems', case when jsonb_typeof(schema -> 'items') = 'array' then schema -> 'items' end, '[]');
  rest jsonb := case when jsonb_typeof(schema -> 'items') = 'array' then schema -> 'additionalItems' else schema -> 'items' end;
  length int := jsonb_array_length(instance);
  matching int;
begin
  for place in 0 .. length - 1 loop
    if place < jsonb_array_length(tuple) then
      return query select @extschema@.jsonschema_problems(tuple -> place, instance -> place, root, format('%s/%s', at, place));
    elsif rest is not null then
      return query select @extschema@.jsonschema_problems(rest, instance -> place, root, format('%s/%s', at, place));
    end if;
  end loop;
  if length < (schema ->> 'minItems')::numeric then return next format('%s has fewer than %s items', at, schema ->> 'minItems'); end if;
  if length > (schema ->> 'maxItems')::numeric then return next format('%s has more than %s items', at, schema ->> 'maxItems'); end if;
  if schema -> 'uniqueItems' = 'true' and (select count(distinct item) from jsonb_array_elements(instance) as item) < length then
    return next format('%s has equal items', at);
  end if;
  if schema ? 'contains' then
    matching := (select count(*) from jsonb_array_elements(instance) as item
      where not exists (select @extschema@.jsonschema_problems(schema -> 'contains', item, root, at)));
    if matching < coalesce((schema ->> 'minContains')::numeric, 1) or matching > (schema ->> 'maxContains')::numeric then
      return next format('%s contains the wrong number of matching items', at);
    end if;
  end if;
end
$$;

create function jsonschema_object_problems(schema jsonb, instance jsonb, root jsonb, at text) returns setof text
  language plpgsql immutable parallel safe
as $$
declare
  member record;
  pattern record;
  named boolean;
  size int := (select count(*) from jsonb_object_keys(instance));
begin
  for member in select key, value from jsonb_each(instance) loop
    named := coalesce(schema -> 'properties' ? member.key, false);
    if named then
      return query select @extschema@.jsonschema_problems(schema -> 'properties' -> member.key, member.value, root, format('%s/%s', at, member.key));
    end if;
    for pattern in select key, value from jsonb_each(coalesce(schema -> 'patternProperties', '{}')) loop
      if member.key ~ pattern.key then
        named := true;
        return query select @extschema@.jsonschema_problems(pattern.value, member.value, root, format('%s/%s', at, member.key));
      end if;
    end loop;
    if not named and schema ? 'additionalProperties' then
      return query select @extschema@.jsonschema_problems(schema -> 'additionalProperties', member.value, root, format('%s/%s', at, member.key));
    end if;
    if schema ? 'propertyNames' then
      return query select @extschema@.jsonschema_problems(schema -> 'propertyNames', to_jsonb(member.key), root, format('%s/%s', at, member.key));
    end if;
  end loop;
  return query select format('%s has no %s', at, name) from jsonb_array_elements_text(coalesce(schema -> 'required', '[]')) as name
    where not instance ? name;
  return query select format('%s has no %s', at, name)
    from jsonb_each(coalesce(schema -> 'dependentRequired', '{}')) as needs (key, names), jsonb_array_elements_text(needs.names) as name
    where instance ? needs.key and not instance ? name;
  if size < (schema ->> 'minProperties')::numeric then return next format('%s has fewer than %s members', at, schema ->> 'minProperties'); end if;
  if size > (schema ->> 'maxProperties')::numeric then return next format('%s has more than %s members', at, schema ->> 'maxProperties'); end if;
end
$$;

create function jsonb_matches_schema(schema json, instance jsonb) returns boolean
  language sql immutable strict parallel safe
as $$ select not exists (select @extschema@.jsonschema_problems(schema::jsonb, instance, schema::jsonb, '')) $$;

create function json_matches_schema(schema json, instance json) returns boolean
  language sql immutable strict parallel safe
as $$ select @extschema@.jsonb_matches_schema(schema, instance::jsonb) $$;

create function jsonschema_validation_errors(schema json, instance json) returns text[]
  language sql immutable strict parallel safe
as $$
  select coalesce(array_agg(ltrim(problem)), '{}')
  from @extschema@.jsonschema_problems(schema::jsonb, instance::jsonb, schema::jsonb, '') as problem
$$;

create function jsonschema_is_valid(schema json) returns boolean
  language plpgsql immutable strict parallel safe
as $$
begin
  perform @extschema@.jsonschema_problems(schema::jsonb, 'null', schema::jsonb, '');
  return true;
exception when others then
  return false;
end
$$;
