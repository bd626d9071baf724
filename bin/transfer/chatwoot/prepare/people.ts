import { SUBSTITUTE_NUMBERS } from '../../moving-in/convert.ts'
import { text } from '../expressions.ts'

const ADDRESS = `lower(btrim(u.email))`

/**
 * Who is needed in which account (`needed`): members, and everybody who wrote, was responsible or rated there. Where there
 * is no such person any more, `is_missing`.
 */
const NEEDED = `
create temporary table needed on commit drop as
select account, user_id, sum(messages)::bigint as messages, not exists (select from old_users u where u.id = n.user_id) as is_missing
from (
  select account_id as account, user_id, 0 as messages from old_account_users where user_id in (select id from old_users)
  union all select v.account_id, m.sender_id, count(*) from old_messages m join old_conversations v on v.id = m.conversation_id
    where m.sender_type = 'User' and m.sender_id is not null group by 1, 2
  union all select account_id, assignee_id, 0 from old_conversations where assignee_id is not null
  union all select account_id, coalesce(user_id, 0), 0 from old_notes
  -- Members of an earlier run, who may have left since.
  union all select k.id, u.id, 0 from users x join moved_accounts k on k.account_id = x.account_id
    join old_users u on x.id = u.id or (x.id >= ${SUBSTITUTE_NUMBERS} and x.email = ${ADDRESS})
  union all select account_id, assigned_agent_id, 0 from old_csat_survey_responses where assigned_agent_id is not null) n
join moved_accounts a on a.id = n.account
group by 1, 2`

/**
 * Where people sign in (`homes`). In Chatwoot one login opens many accounts; in Parley an address belongs to one. What an
 * earlier run decided stays.
 */
const HOMES = `
create temporary table homes on commit drop as
with ranked as (
  select a.id as account, m.user_id, ${ADDRESS} as address, u.confirmed_at, e.was_here,
    greatest(u.current_sign_in_at, u.last_sign_in_at) as signed_in_at,
    row_number() over (partition by m.user_id order by e.was_here desc, (coalesce(m.role, 0) = 1) desc, m.active_at desc nulls last,
      coalesce(n.messages, 0) desc, m.created_at, a.id) as rank
  from (select distinct on (account_id, user_id) * from old_account_users order by account_id, user_id, role desc nulls last, id) m
  join moved_accounts a on a.id = m.account_id join old_users u on u.id = m.user_id
  left join needed n on n.account = a.id and n.user_id = m.user_id
  cross join lateral (select exists (select from users x where x.account_id = a.account_id and (x.email = ${ADDRESS} or x.id = u.id)) as was_here) e
  where u.email ~ '^\\s*[^@\\s]+@[^@\\s]+\\s*$'
    and not exists (select from users x where x.email = ${ADDRESS} and x.account_id <> a.account_id))
select account, user_id, address from (
  select *, row_number() over (partition by address order by was_here desc, (confirmed_at is not null) desc, signed_in_at desc nulls last, user_id) as claim
  from ranked where rank = 1) r
where claim = 1`

/**
 * Everybody by account and old number (`people`), with the number in Parley. Those who sign in elsewhere, or left, are
 * former people: their names stay beside what they wrote, and nobody signs in as them.
 */
const PEOPLE = `
create temporary table people on commit drop as
with found as (
  select n.account, a.account_id, n.user_id, (h.user_id is not null) as is_member, f.address as former_address, coalesce(h.address, f.address) as address,
    case when n.user_id = 0 then 'Former teammate' else ${text('u.name')} end as full_name, ${text('u.display_name')} as display_name,
    coalesce(
      (select x.id from users x where x.account_id = a.account_id and (x.email in (h.address, f.address)
         or x.id = n.user_id or (x.id >= ${SUBSTITUTE_NUMBERS} and x.email = ${ADDRESS} and not exists (select from homes o where o.address = x.email)))
       order by (x.email = h.address) desc nulls last, (x.id = n.user_id) desc limit 1),
      case when h.user_id < ${SUBSTITUTE_NUMBERS} and not exists (select from users x where x.id = h.user_id) then h.user_id end) as id
  from (select account, user_id from needed where not is_missing union select account, 0 from needed where is_missing) n
  join moved_accounts a on a.id = n.account
  left join old_users u on u.id = n.user_id
  left join homes h on h.account = n.account and h.user_id = n.user_id
  cross join lateral (select case when n.user_id = 0 then 'former' else n.user_id::text end || '.' || n.account || '@chatwoot.invalid' as address) f)
select account, account_id, user_id, is_member, former_address, address, full_name, display_name,
  coalesce(id, greatest(${SUBSTITUTE_NUMBERS}, (select max(id) + 1 from users)) + row_number() over (partition by id is null order by account, user_id))::integer as id
from found;
insert into people
select n.account, p.account_id, n.user_id, false, p.former_address, p.address, p.full_name, p.display_name, p.id
from needed n join people p on p.account = n.account and p.user_id = 0 where n.is_missing and n.user_id <> 0;
create unique index on people (account, user_id);
delete from old_users u using other_people o where o.id = u.id and not exists (select from people p where p.user_id = u.id)`

export const PEOPLE_STEPS = [NEEDED, HOMES, PEOPLE]
