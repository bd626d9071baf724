import {
  type EmailTemplate,
  type EmailTemplateVersion,
  TEMPLATE_KINDS,
  type TemplateDraft,
  type TemplateKind,
} from '#contract/mail/email-templates.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { kinds } from './kinds.ts'

/** Number of versions kept of one template. */
const KEPT = 50

/** All templates in their current version. */
export function listTemplates(db: Db, account_id: string): Promise<EmailTemplate[]> {
  return Promise.all(TEMPLATE_KINDS.map((kind) => getTemplate(db, account_id, kind)))
}

/** The company's template, or the one to start from. */
export async function getTemplate(db: Db, account_id: string, kind: TemplateKind): Promise<EmailTemplate> {
  const row = await db
    .selectFrom('email_templates as t')
    .innerJoin('email_template_versions as v', (join) =>
      join.onRef('v.account_id', '=', 't.account_id').onRef('v.id', '=', 't.version_id'),
    )
    .select(['v.subject', 'v.body', 'v.color', 't.version_id', 't.failed_at', 't.failure'])
    .where('t.account_id', '=', account_id)
    .where('t.kind', '=', kind)
    .executeTakeFirst()
  if (row) return { ...row, kind, is_default: false }
  return { ...kinds[kind].start, kind, is_default: true, version_id: null, failed_at: null, failure: null }
}

/** Saves a new version, which is used from now on. */
export async function saveTemplate(
  change: Change,
  { account_id, user_id, kind }: { account_id: string; user_id: number; kind: TemplateKind },
  template: TemplateDraft,
): Promise<EmailTemplate> {
  const id = newId()
  await change.db
    .insertInto('email_template_versions')
    .values({ account_id, id, kind, user_id, ...template })
    .execute()
  await setCurrent(change, account_id, kind, id)
  await pruneVersions(change, account_id, kind)
  return getTemplate(change.db, account_id, kind)
}

/**
 * Uses an earlier version again.
 * @throws NotFound
 */
export async function restoreVersion(
  change: Change,
  account_id: string,
  kind: TemplateKind,
  id: string,
): Promise<EmailTemplate> {
  const version = await ofAccount(change.db, account_id)
    .selectFrom('email_template_versions')
    .select('id')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!version) throw new NotFound()
  await setCurrent(change, account_id, kind, id)
  return getTemplate(change.db, account_id, kind)
}

async function setCurrent({ db }: Change, account_id: string, kind: TemplateKind, version_id: string): Promise<void> {
  const current = { version_id, failed_at: null, failure: null }
  await db
    .insertInto('email_templates')
    .values({ account_id, kind, ...current })
    .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(current))
    .execute()
}

/** Goes back to the default mail. */
export async function resetTemplate({ db }: Change, account_id: string, kind: TemplateKind): Promise<null> {
  await ofAccount(db, account_id).deleteFrom('email_templates').where('kind', '=', kind).execute()
  return null
}

/** The newest versions, newest first. */
export async function listVersions(db: Db, account_id: string, kind: TemplateKind): Promise<EmailTemplateVersion[]> {
  const { version_id } = await getTemplate(db, account_id, kind)
  const rows = await ofAccount(db, account_id)
    .selectFrom('email_template_versions')
    .select(['id', 'subject', 'user_id', 'created_at'])
    .where('kind', '=', kind)
    .orderBy('seq', 'desc')
    .limit(KEPT)
    .execute()
  return rows.map((row) => ({ ...row, is_current: row.id === version_id }))
}

async function pruneVersions({ db }: Change, account_id: string, kind: TemplateKind): Promise<void> {
  const old = await ofAccount(db, account_id)
    .selectFrom('email_template_versions')
    .select('id')
    .where('kind', '=', kind)
    .orderBy('seq', 'desc')
    .offset(KEPT)
    .execute()
  if (old.length === 0) return
  await ofAccount(db, account_id)
    .deleteFrom('email_template_versions')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute()
}

/** Records that a version fails on real mails; false if that was known. */
export async function recordFailure(
  { db }: Change,
  { account_id, kind, version_id }: { account_id: string; kind: TemplateKind; version_id: string },
  failure: string,
): Promise<boolean> {
  const { numUpdatedRows } = await ofAccount(db, account_id)
    .updateTable('email_templates')
    .set({ failed_at: new Date().toISOString(), failure: failure.slice(0, 500) })
    .where('kind', '=', kind)
    .where('version_id', '=', version_id)
    .where('failed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
