import type { Conversion } from '../../moving-in/reader.ts'
import { at, newId } from '../expressions.ts'

/**
 * The pictures of people (`pictures`), with the file that each becomes here. Somebody who works for several companies has
 * one in each.
 */
export const PICTURES_OF_PEOPLE = `
create temporary table pictures on commit drop as
with latest as (
  select distinct on (s.record_type, s.record_id) s.record_type, s.record_id, b.id as blob_id, b.created_at
  from old_active_storage_attachments s join old_active_storage_blobs b on b.id = s.blob_id
  where s.name = 'avatar' and s.record_type in ('User', 'Contact') order by s.record_type, s.record_id, b.id desc)
select p.account_id, ${newId('pictures of people', `p.account || ' ' || p.user_id`)} as id, p.id as user_id, null::uuid as customer_id, l.blob_id, l.created_at
from latest l join people p on l.record_type = 'User' and p.user_id = l.record_id join old_users u on u.id = p.user_id
union all
select k.account_id, ${newId('pictures of contacts', 'k.id')}, null, k.customer_id, l.blob_id, l.created_at
from latest l join people_outside k on l.record_type = 'Contact' and k.id = l.record_id`

const PICTURE_NAME = 'picture.webp'

/**
 * Rows of files without bytes, for people without a picture. A row stays when the team removes or replaces the picture, so
 * that a later import does not bring it back.
 */
export const PICTURES: Conversion[] = [
  {
    table: 'files',
    sql: `
insert into files (account_id, id, key, filename, content_type, size, user_id, customer_id, created_at, attached_at)
select p.account_id, p.id, p.account_id || '/' || p.id, '${PICTURE_NAME}', 'application/octet-stream', 0, u.id, c.id,
  coalesce(${at('p.created_at')}, now()), now()
from pictures p
left join users u on u.account_id = p.account_id and u.id = p.user_id
left join customers c on c.account_id = p.account_id and c.id = p.customer_id and c.deleted_at is null
where coalesce(u.id::text, c.id::text) is not null and coalesce(u.profile_photo_url, c.profile_photo_url) is null
on conflict do nothing`,
  },
]

/** For each of them where its bytes are, and the address that it gets here. */
export const PICTURES_QUERY = `
select p.id, o.object, o.url, o.checksum,
  coalesce((select base_url from installation), current_setting('parley.base_url'), '') || '/files/' || p.id || '/${PICTURE_NAME}' as picture_url
from pictures p join objects o on o.blob_id = p.blob_id`
