import { MAX_ATTRIBUTES, MAX_CHOICES } from '#contract/customers/attributes.ts'
import type { Conversion } from '../../moving-in/reader.ts'
import { created, newId } from '../expressions.ts'

/** Chatwoot's types of attributes: text, number, currency, percent, link, date, list, checkbox. */
const KIND = `case o.attribute_display_type when 1 then 'number' when 2 then 'number' when 3 then 'number' when 4 then 'link'
  when 5 then 'date' when 6 then 'choice' when 7 then 'yes_no' else 'text' end`

/** What can be chosen: texts of a list, each once in whatever letters. */
const CHOICES = `array(
  select choice from (
    select distinct on (lower(btrim(item))) left(btrim(item), 100) as choice, n
    from jsonb_array_elements_text(case when jsonb_typeof(o.attribute_values) = 'array' then o.attribute_values else '[]' end) with ordinality as items (item, n)
    where btrim(item) <> '' order by lower(btrim(item)), n) c
  order by n limit ${MAX_CHOICES})`

/** Names and kinds of what customers and conversations have in their metadata. Of two with one key the older one stays. */
export const ATTRIBUTES: Conversion[] = [
  {
    table: 'attribute_definitions',
    sql: `
with wanted as (
  select o.*, a.account_id as new_account, ${newId('attributes', 'o.id')} as new_id,
    case o.attribute_model when 0 then 'conversation' when 1 then 'customer' end as subject,
    row_number() over (partition by a.id order by o.attribute_model desc, o.id) + (
      select coalesce(max(position), 0) from attribute_definitions d where d.account_id = a.account_id) as position
  from old_custom_attribute_definitions o join moved_accounts a on a.id = o.account_id
  where btrim(o.attribute_key) <> '' and length(o.attribute_key) <= 100 and o.attribute_key <> '__proto__' and o.attribute_key !~ '[[:cntrl:]]'
    and not exists (select from attribute_definitions d where d.account_id = a.account_id and d.id = ${newId('attributes', 'o.id')}))
insert into attribute_definitions (account_id, id, subject, key, name, kind, choices, position, description, created_at, updated_at)
select o.new_account, o.new_id, o.subject, o.attribute_key, left(coalesce(nullif(btrim(o.attribute_display_name), ''), o.attribute_key), 100),
  ${KIND}, case when o.attribute_display_type = 6 then ${CHOICES} else '{}' end, o.position,
  left(nullif(btrim(o.attribute_description), ''), 500), ${created('o')}
from wanted o where o.subject is not null and o.position <= ${MAX_ATTRIBUTES} order by o.position on conflict do nothing`,
  },
]
