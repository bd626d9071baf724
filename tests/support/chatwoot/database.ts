import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type FreshDatabase, freshDatabase } from '../database.ts'

/** What later versions added (4.14), and what earlier ones lacked (2.2). */
const CHANGES = {
  '3.14': '',
  newer: `
    alter table accounts add internal_attributes jsonb not null default '{}', add settings jsonb default '{}';
    alter table accounts drop auto_resolve_duration;
    alter table users add otp_secret varchar, add consumed_timestep integer, add otp_required_for_login boolean not null default false, add otp_backup_codes text;
    alter table contacts add company_id bigint;
    alter table attachments add meta jsonb default '{}';
    alter table messages alter source_id type text;
    alter table contact_inboxes alter source_id type text;
    alter table conversations add assignee_agent_bot_id bigint;
    alter table csat_survey_responses add csat_review_notes text;
    alter table webhooks add name varchar, add secret varchar;
    create table companies (id bigserial primary key, name varchar not null, domain varchar, description text, account_id bigint not null, contacts_count integer, created_at timestamp not null, updated_at timestamp not null);
    create table custom_roles (id bigserial primary key, name varchar, account_id bigint not null, permissions text[], created_at timestamp not null, updated_at timestamp not null);
    create table captain_assistants (id bigserial primary key, name varchar not null, account_id bigint not null, created_at timestamp not null, updated_at timestamp not null);`,
  older: `
    alter table contacts drop contact_type, drop middle_name, drop last_name, drop location, drop country_code, drop blocked;
    alter table contact_inboxes drop pubsub_token;
    alter table conversations drop first_reply_created_at, drop priority, drop waiting_since, drop sla_policy_id;
    alter table messages drop additional_attributes, drop sentiment;
    alter table users drop message_signature;
    alter table account_users drop custom_role_id;
    alter table active_storage_blobs drop service_name;
    drop table csat_survey_responses; drop table conversation_participants; drop table macros`,
}

/** A database with the tables of a version of Chatwoot, empty. */
export async function createChatwoot(version: keyof typeof CHANGES = '3.14'): Promise<FreshDatabase> {
  const database = await freshDatabase('template0')
  await withClient(database, async (client) => {
    await client.query(await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8'))
    await client.query(CHANGES[version])
    await client.query(
      `insert into ar_internal_metadata values ('environment', 'production', '2020-03-04 05:06:07.123456', '2020-03-04 05:06:07.123456')`,
    )
  })
  return database
}

export async function withClient<Result>(database: FreshDatabase, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

type Value = string | number | boolean | null | object

/** Writes rows; each begins its life at `2023-03-01 10:00`, unless it says otherwise. Lists of rows have the same columns. */
export function insertInto(client: pg.Client) {
  return async (table: string, ...rows: Record<string, Value>[]) => {
    const timed = !['tags', 'taggings', 'active_storage_blobs', 'active_storage_attachments'].includes(table)
    for (const row of rows) {
      const created_at = row.created_at ?? '2023-03-01 10:00:00'
      const whole = {
        ...(table !== 'tags' && { created_at }),
        ...(timed && { updated_at: row.updated_at ?? created_at }),
        ...row,
      }
      const names = Object.keys(whole)
      await client.query(
        `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
        Object.values(whole).map((value) => (typeof value === 'object' && value ? JSON.stringify(value) : value)),
      )
    }
  }
}
