/** Times of Chatwoot are in UTC, without a zone. */
export const at = (column: string) => `${column} at time zone 'UTC'`

/** When a row was created and last changed; rows without times are as old as the import. */
export const created = (row: string) =>
  `coalesce(${at(`${row}.created_at`)}, now()), coalesce(${at(`${row}.updated_at`)}, ${at(`${row}.created_at`)}, now())`

/** Text without blanks around it; null for nothing, and for the words that scripts write for it. */
export const text = (column: string) =>
  `case when btrim(${column}) in ('', 'null', 'undefined') then null else btrim(${column}) end`

/** The id of a row in Parley: an expression for the number of the old one. */
export const newId = (kind: string, number: string) => `pg_temp.new_id('${kind} ' || ${number})`

/** A JSON object; anything else is kept under a name of its own. */
export const object = (column: string) =>
  `case jsonb_typeof(${column}) when 'object' then ${column} when 'array' then jsonb_build_object('raw', ${column})
    when 'string' then jsonb_build_object('raw', ${column}) else '{}'::jsonb end`

/** Own attributes at the top, and what Chatwoot knew beside them; an own one of that name stays inside it. */
export const metadata = (own: string, chatwoot: string) =>
  `((${object(own)}) - 'chatwoot') || jsonb_build_object('chatwoot', jsonb_strip_nulls(
    case when (${object(own)}) ? 'chatwoot' then jsonb_build_object('chatwoot', ${own} -> 'chatwoot') else '{}' end || ${chatwoot}))`

/** A name in a file's address: without slashes, blanks and control characters. */
export const filename = (column: string) =>
  `coalesce(nullif(btrim(regexp_replace(${column}, '[\\\\/\\s[:cntrl:]]+', '-', 'g')), ''), 'file')`
