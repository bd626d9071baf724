import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MailboxAuthorization, MailSecurity } from '#contract/integrations/mailbox.ts'
import { type MailServers, suggestServers } from '#contract/mail/mail-providers.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { notify } from '../../../ui/notices.ts'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './Integrations.module.css'
import { foldersQuery, saveMailbox } from './queries.ts'

interface Fields extends MailServers {
  address: string
  username: string
  password: string
  folder: string
  since_days: number
  marks_read: boolean
  watches_sent: boolean
  takes_forms: boolean
}

function fieldsOf(mailbox: MailboxAuthorization | null): Fields {
  if (!mailbox) {
    const nothing = { address: '', username: '', password: '', folder: 'INBOX', since_days: 0 }
    const options = { marks_read: false, watches_sent: true, takes_forms: false }
    return { ...suggestServers(''), imap_host: '', smtp_host: '', ...nothing, ...options }
  }
  const { id: _, object: __, inbox_id: ___, created_at: ____, sent_folder: _____, ...fields } = mailbox
  return { ...fields, since_days: 0 }
}

interface MailboxFormProps {
  inbox_id: string
  mailbox: MailboxAuthorization | null
}

/**
 * Address and password; the servers of most providers are known and can be changed. The server tests both connections
 * before it saves.
 */
export function MailboxForm({ inbox_id, mailbox }: MailboxFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [fields, setFields] = useState(() => fieldsOf(mailbox))
  const change = (changes: Partial<Fields>) => setFields((before) => ({ ...before, ...changes }))
  const { hint } = suggestServers(fields.address)
  const { saving, error, submit, guard } = useSaving(async () => {
    await saveMailbox(client, { inbox_id, ...fields, username: fields.username || null })
    notify({ kind: 'success', title: t('integrations.mailbox.connected') })
  })
  return (
    <Block
      title={t(mailbox ? 'integrations.mailbox.change' : 'integrations.mailbox.connect')}
      text={t('integrations.mailbox.tried')}
    >
      <form ref={guard.watch} className={styles.form} onSubmit={submit}>
        <TextField
          type="email"
          label={t('integrations.mailbox.address')}
          value={fields.address}
          required
          autoComplete="off"
          onChange={(address) => change({ address })}
          onBlur={() => !mailbox && fields.address.includes('@') && change(serversOf(fields.address))}
        />
        {hint && <Banner tone="warning">{t(`integrations.mailbox.hints.${hint}`)}</Banner>}
        <PasswordField
          label={t('integrations.mailbox.password')}
          autoComplete="new-password"
          value={fields.password}
          onChange={(password) => change({ password })}
        />
        <TextField
          label={t('integrations.mailbox.username')}
          hint={t('integrations.mailbox.username_hint')}
          value={fields.username}
          autoComplete="off"
          onChange={(username) => change({ username })}
        />
        <Server protocol="imap" fields={fields} change={change} />
        <Server protocol="smtp" fields={fields} change={change} />
        <MailboxOptions mailbox={mailbox} fields={fields} change={change} />
        <FormError text={error} />
        <div className={styles.row}>
          <Button variant="primary" type="submit" loading={saving}>
            {t(mailbox ? 'integrations.update' : 'integrations.connect')}
          </Button>
        </div>
      </form>
    </Block>
  )
}

function serversOf(address: string): MailServers {
  const { hint: _, ...servers } = suggestServers(address)
  return servers
}

interface PartProps {
  fields: Fields
  change: (changes: Partial<Fields>) => void
}

const SECURITIES: readonly MailSecurity[] = ['tls', 'starttls', 'none']

function Server({ protocol, fields, change }: PartProps & { protocol: 'imap' | 'smtp' }) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.server}>
      <legend>{t(`integrations.mailbox.${protocol}`)}</legend>
      <TextField
        label={t('integrations.mailbox.host')}
        value={fields[`${protocol}_host`]}
        required
        spellCheck={false}
        dir="ltr"
        onChange={(host) => change({ [`${protocol}_host`]: host })}
      />
      <NumberField
        label={t('integrations.mailbox.port')}
        value={fields[`${protocol}_port`]}
        onChange={(port) => change({ [`${protocol}_port`]: port })}
      />
      <Select
        label={t('integrations.mailbox.security')}
        options={SECURITIES.map((value) => ({ value, label: t(`integrations.mailbox.securities.${value}`) }))}
        value={fields[`${protocol}_security`]}
        onChange={(security) => change({ [`${protocol}_security`]: security })}
      />
    </fieldset>
  )
}

function MailboxOptions({ mailbox, fields, change }: PartProps & { mailbox: MailboxAuthorization | null }) {
  const { t } = useTranslation()
  const { data: folders = [] } = useQuery({ ...foldersQuery(mailbox?.id ?? ''), enabled: !!mailbox })
  const names = [...new Set([fields.folder, ...folders])]
  return (
    <>
      {mailbox ? (
        <Select
          label={t('integrations.mailbox.folder')}
          options={names.map((value) => ({ value, label: value }))}
          value={fields.folder}
          onChange={(folder) => change({ folder })}
        />
      ) : (
        <Select
          label={t('integrations.mailbox.begin')}
          options={[0, 7].map((value) => ({
            value,
            label: t(`integrations.mailbox.begins.${value === 0 ? 'now' : 'week'}`),
          }))}
          value={fields.since_days}
          onChange={(since_days) => change({ since_days })}
        />
      )}
      <Switch
        label={t('integrations.mailbox.marks_read')}
        checked={fields.marks_read}
        onChange={(marks_read) => change({ marks_read })}
      />
      <Switch
        label={t('integrations.mailbox.watches_sent')}
        hint={t('integrations.mailbox.watches_sent_hint')}
        checked={fields.watches_sent}
        onChange={(watches_sent) => change({ watches_sent })}
      />
      <Switch
        label={t('integrations.mailbox.takes_forms')}
        checked={fields.takes_forms}
        onChange={(takes_forms) => change({ takes_forms })}
      />
    </>
  )
}
