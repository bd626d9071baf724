import { newId } from '../expressions.ts'

/**
 * Functions over the staged rows; they end with the session. An id is computed with the secret of the import
 * (`parley.ids_inner` and `parley.ids_outer` are its two keys of HMAC-SHA-256), because the old numbers can be guessed,
 * and in Parley the id of an anonymous customer opens their chats.
 */
export const FUNCTIONS = String.raw`
create or replace function pg_temp.new_id(name text) returns uuid language plpgsql stable strict as $$
declare
  hash bytea := sha256(decode(current_setting('parley.ids_outer'), 'hex')
    || sha256(decode(current_setting('parley.ids_inner'), 'hex') || convert_to(name, 'UTF8')));
begin
  return overlay(overlay(encode(substr(hash, 1, 16), 'hex') placing '4' from 13)
    placing substr('89ab', 1 + (get_byte(hash, 8) & 3), 1) from 17)::uuid;
end $$;

-- The object in a JSON text. Rails has encoded many of them twice, and NUL has no place in jsonb.
create or replace function pg_temp.as_object(raw text) returns jsonb language plpgsql immutable as $$
declare value jsonb;
begin
  for depth in 1..4 loop
    if raw is null or raw in ('', '{}', 'null', '"{}"', '"null"') then return '{}'; end if;
    if position('\u0000' in raw) > 0 then
      raw := regexp_replace(raw, '(?<!\\)((?:\\\\)*)\\u0000', '\1', 'g');
    end if;
    begin
      value := raw::jsonb;
    exception when others then
      return jsonb_build_object('raw', raw);
    end;
    exit when jsonb_typeof(value) <> 'string';
    raw := value #>> '{}';
  end loop;
  return case jsonb_typeof(value) when 'object' then value when 'null' then '{}' else jsonb_build_object('raw', value) end;
end $$;

-- Seconds or milliseconds since 1970, or a time in words; null for anything else.
create or replace function pg_temp.as_time(said text) returns timestamptz language plpgsql stable as $$
begin
  if said ~ '^\d{9,10}(\.\d+)?$' then return to_timestamp(said::double precision); end if;
  if said ~ '^\d{12,13}$' then return to_timestamp(said::double precision / 1000); end if;
  if said ~ '^\d{4}-\d\d-\d\d' then return said::timestamptz; end if;
  return null;
exception when others then
  return null;
end $$;

-- Addresses of mail, from a list or from a text with commas.
create or replace function pg_temp.addresses(value jsonb) returns text[] language sql immutable as $$
  select array(
    select distinct lower(btrim(coalesce(substring(said from '<([^<>]+)>'), said)))
    from (
      select jsonb_array_elements_text(case when jsonb_typeof(value) = 'array' then value else '[]' end) as said
      union all
      select regexp_split_to_table(case when jsonb_typeof(value) = 'string' then value #>> '{}' else '' end, '[,;]')) s
    where said like '%@%' order by 1)
$$;

-- The ids of mails, in angle brackets.
create or replace function pg_temp.mail_ids(value jsonb) returns text[] language sql immutable as $$
  select array(
    select '<' || btrim(said, '<> ') || '>'
    from (
      select jsonb_array_elements_text(case when jsonb_typeof(value) = 'array' then value else '[]' end) as said
      union all
      select regexp_split_to_table(case when jsonb_typeof(value) = 'string' then value #>> '{}' else '' end, '\s+')) s
    where btrim(said, '<> ') <> '')
$$;

-- The choices that a message offered, and what the customer chose.
create or replace function pg_temp.with_choices(body text, attributes jsonb) returns text language sql immutable as $$
  select nullif(concat_ws(E'\n', nullif(body, ''),
    (select string_agg('- ' || concat_ws(': ', coalesce(item ->> 'title', item ->> 'label', item ->> 'name', item ->> 'value'),
        coalesce(item ->> 'description', item ->> 'link')), E'\n' order by n)
     from jsonb_array_elements(case when jsonb_typeof(attributes -> 'items') = 'array' then attributes -> 'items' else '[]' end)
       with ordinality as items (item, n) where jsonb_typeof(item) = 'object'),
    (select string_agg(concat_ws(': ', coalesce(item ->> 'title', item ->> 'name'), item ->> 'value'), E'\n' order by n)
     from jsonb_array_elements(case when jsonb_typeof(attributes -> 'submitted_values') = 'array' then attributes -> 'submitted_values' else '[]' end)
       with ordinality as items (item, n) where jsonb_typeof(item) = 'object')), '')
$$;

-- The number of the file that a signed id of Rails names: JSON in Base64, and in it an integer as JSON or as Ruby wrote it.
create or replace function pg_temp.signed_blob(signed text) returns bigint language plpgsql immutable as $$
declare
  code text := translate(replace(signed, '%3D', '='), '-_', '+/');
  named jsonb;
  bytes bytea;
  size integer;
  value bigint := 0;
begin
  named := convert_from(decode(rpad(rtrim(code, '='), (length(rtrim(code, '=')) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb -> '_rails';
  if named ? 'data' then return (named ->> 'data')::bigint; end if;
  bytes := decode(named ->> 'message', 'base64');
  if substr(bytes, 1, 3) <> '\x040869' then return null; end if;
  size := get_byte(bytes, 3);
  if size > 5 then return size - 5; end if;
  for n in 1..size loop value := value + get_byte(bytes, 3 + n)::bigint * (256 ^ (n - 1))::bigint; end loop;
  return value;
exception when others then
  return null;
end $$;

-- The nearest of the five colours of tags, by hue.
create or replace function pg_temp.tag_color(hex text) returns text language plpgsql immutable as $$
declare
  r float; g float; b float; top float; span float; hue float;
begin
  if hex !~* '^#[0-9a-f]{6}$' then return null; end if;
  r := get_byte(decode(substr(hex, 2), 'hex'), 0); g := get_byte(decode(substr(hex, 2), 'hex'), 1); b := get_byte(decode(substr(hex, 2), 'hex'), 2);
  top := greatest(r, g, b); span := top - least(r, g, b);
  if span = 0 then return 'blue'; end if;
  hue := case top when r then 60 * (g - b) / span when g then 120 + 60 * (b - r) / span else 240 + 60 * (r - g) / span end;
  hue := hue - 360 * floor(hue / 360);
  return case when hue < 8 then 'red' when hue < 120 then 'volcano' when hue < 250 then 'blue' when hue < 285 then 'purple'
    when hue < 340 then 'magenta' else 'red' end;
end $$;
`

/** The address of a picture inside a mail: a signed id, and for a thumbnail a second one. */
const PICTURE = String.raw`(?:https?://[^/"''\s)<>]+)?/rails/active_storage/(?:blobs|representations)/(?:redirect/|proxy/)?([A-Za-z0-9+/_=%]+(?:-[A-Za-z0-9+/_=%]+)*)--[0-9a-f]+(?:/[^"''\s)<>]*)?`

/** Functions that look into the tables of the other steps. */
export const LOOKUPS = String.raw`
-- Mentions as people read them: @ and the name that they have in Parley.
create or replace function pg_temp.with_names(body text, in_account bigint) returns text language plpgsql stable as $$
declare
  mention text[];
  name text;
begin
  for mention in select distinct regexp_matches(body, '(\[@?([^\]]*)\]\(mention://(user|team)/(\d{1,18})(?:/[^)]*)?\))', 'g') loop
    if mention[3] = 'user' then
      select coalesce(p.display_name, p.full_name) into name from people p where p.account = in_account and p.user_id = mention[4]::bigint;
    else
      select btrim(t.name) into name from old_teams t where t.account_id = in_account and t.id = mention[4]::bigint;
    end if;
    body := replace(body, mention[1], '@' || coalesce(nullif(name, ''), mention[2]));
  end loop;
  return body;
end $$;

-- A mail's HTML with the addresses of its pictures in Parley.
create or replace function pg_temp.with_pictures(html text, message bigint) returns text language plpgsql stable as $$
declare
  picture record;
begin
  for picture in select p.address, f.id, f.filename from mail_pictures p
    join files f on f.id = ${newId('blobs', 'p.blob_id')} where p.message_id = message order by length(p.address) desc loop
    html := replace(html, picture.address, coalesce((select base_url from installation), current_setting('parley.base_url'), '')
      || '/files/' || picture.id || '/' || replace(picture.filename, '"', ''));
  end loop;
  return html;
end $$;
`

/** The pictures inside mails, each with its address there and the number of its file: `address, blob_id`. */
export const picturesIn = (html: string) =>
  `(select distinct whole[1] as address, pg_temp.signed_blob(whole[2]) as blob_id from regexp_matches(${html}, '(${PICTURE})', 'g') whole)`
