import type { Conversion } from '../../moving-in/reader.ts'
import { at, filename, newId } from '../expressions.ts'
import { PICTURES_QUERY } from './pictures.ts'

/**
 * Attached files and the pictures inside mails. Their bytes follow after the transaction: until then a file has no size.
 */
export const FILES: Conversion[] = [
  {
    table: 'files',
    sql: `
insert into files (account_id, id, key, filename, content_type, size, user_id, customer_id, created_at, attached_at)
select m.account_id, f.id, m.account_id || '/' || f.id, ${filename('b.filename')}, 'application/octet-stream', 0, m.user_id, m.customer_id,
  coalesce(${at('o.created_at')}, m.created_at), m.created_at
from old_attachments o
join attached_blobs l on l.attachment_id = o.id
join old_active_storage_blobs b on b.id = l.blob_id
join said s on s.id = o.message_id
join messages m on m.account_id = s.account_id and m.id = s.message_id
cross join lateral (select ${newId('attachments', 'o.id')} as id) f
on conflict do nothing`,
  },
  {
    table: 'files',
    sql: `
insert into files (account_id, id, key, filename, content_type, size, user_id, customer_id, created_at, attached_at)
select distinct on (b.id) m.account_id, f.id, m.account_id || '/' || f.id, ${filename('b.filename')}, 'application/octet-stream', 0, m.user_id, m.customer_id,
  coalesce(${at('b.created_at')}, m.created_at), m.created_at
from mail_pictures p
join old_active_storage_blobs b on b.id = p.blob_id
join said s on s.id = p.message_id
join messages m on m.account_id = s.account_id and m.id = s.message_id
cross join lateral (select ${newId('blobs', 'b.id')} as id) f
order by b.id, s.id on conflict do nothing`,
  },
  {
    table: 'message_files',
    sql: `
with attached as (
  select s.account_id, s.message_id, ${newId('attachments', 'o.id')} as file_id, o.id as position from old_attachments o join said s on s.id = o.message_id
  union all
  select distinct s.account_id, s.message_id, ${newId('blobs', 'p.blob_id')}, 1000000000000 + p.blob_id from mail_pictures p join said s on s.id = p.message_id)
insert into message_files (account_id, message_id, file_id, position)
select m.account_id, m.id, f.id, least(32767, row_number() over (partition by m.id order by a.position) - 1)
from attached a
join messages m on m.account_id = a.account_id and m.id = a.message_id
join files f on f.account_id = a.account_id and f.id = a.file_id on conflict do nothing`,
  },
]

/** For each file its object: in Rails' folder it lies two folders deep, in a bucket it has the name of its key. */
export const FILES_QUERY = `
select ${newId('attachments', 'l.attachment_id')} as id, o.object, o.url, o.checksum, null as picture_url
from attached_blobs l join objects o on o.blob_id = l.blob_id
union all
select distinct ${newId('blobs', 'p.blob_id')}, o.object, o.url, o.checksum, null from mail_pictures p join objects o on o.blob_id = p.blob_id
union all ${PICTURES_QUERY}`

/** Where the bytes of each file are (`objects`). */
export const OBJECTS = `
create temporary table objects on commit drop as
select id as blob_id, nullif(checksum, '') as checksum, url,
  case when coalesce(service_name, 'local') = 'local' then substr(key, 1, 2) || '/' || substr(key, 3, 2) || '/' || key else key end as object
from old_active_storage_blobs where key ~ '^[A-Za-z0-9_-]+$' or url is not null;
create unique index on objects (blob_id)`
