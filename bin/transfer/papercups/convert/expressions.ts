/** Times of Papercups are in UTC, without a zone. */
export const at = (column: string) => `${column} at time zone 'UTC'`
export const created = (row: string) => `${at(`${row}.inserted_at`)}, ${at(`${row}.updated_at`)}`

/** Text without the words that old widgets sent for "nothing". */
export const text = (column: string) =>
  `case when btrim(${column}) in ('', 'null', 'undefined') then null else btrim(${column}) end`

/** A web address; anything else, which could be a script, is dropped. */
export const link = (column: string) => `case when ${column} ~* '^https?://' then ${column} end`

/** Metadata that is no object is kept under a name of its own. */
export const metadata = (
  column: string,
) => `case when ${column} is null or jsonb_typeof(${column}) = 'null' then '{}'::jsonb
    when jsonb_typeof(${column}) = 'object' then ${column} else jsonb_build_object('papercups', jsonb_build_object('metadata', ${column})) end`

/** An id that a second import finds again, for rows that Papercups lacked. */
export const derivedId = (expression: string) => `md5(${expression})::uuid`
