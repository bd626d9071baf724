import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MattermostAuthorization } from '#contract/integrations/mattermost.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { useSaving } from '../../platform/forms/useSaving.ts'
import { errorText } from '../../platform/http/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { notify } from '../../ui/notices.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { channelsQuery, saveMattermost } from './queries.ts'

interface MattermostFormProps {
  inbox_id: string
  connection: MattermostAuthorization | null
}

/** The server's address and a token; with both, its channels are loaded. */
export function MattermostForm({ inbox_id, connection }: MattermostFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [fields, setFields] = useState({
    mattermost_url: connection?.mattermost_url ?? '',
    access_token: connection?.access_token ?? '',
    verification_token: connection?.verification_token ?? '',
    channel_id: connection?.channel_id,
  })
  /** The values when a field lost the focus, so that typing causes no requests. */
  const [entered, setEntered] = useState({ mattermost_url: fields.mattermost_url, access_token: fields.access_token })
  const isComplete = !!entered.mattermost_url && !!entered.access_token
  const { data: integrations } = useQuery(integrationsQuery)
  // Where integrations are off, the server would refuse the call.
  const channels = useQuery({
    ...channelsQuery({ ...entered, inbox_id }),
    enabled: isComplete && integrations?.is_on === true,
  })
  const change = (changes: Partial<typeof fields>) => setFields((before) => ({ ...before, ...changes }))
  const loadChannels = () => setEntered({ mattermost_url: fields.mattermost_url, access_token: fields.access_token })
  const options = (channels.data ?? []).map((channel) => ({
    value: channel.id,
    label: `${channel.display_name} (${channel.team_name})`,
  }))
  const { saving, error, submit, guard } = useSaving(async () => {
    loadChannels()
    const { channel_id } = fields
    if (!channel_id) throw new Error(t('integrations.mattermost.channel_missing'))
    await saveMattermost(client, { inbox_id, ...fields, channel_id })
    notify({ kind: 'success', title: t('integrations.mattermost.connected') })
  })
  return (
    <Block
      title={t(connection ? 'integrations.mattermost.change' : 'integrations.mattermost.connect')}
      text={t('integrations.mattermost.connect_text')}
    >
      <form ref={guard.watch} className={styles.form} onSubmit={submit}>
        <TextField
          type="url"
          label={t('integrations.mattermost.url')}
          placeholder="https://mattermost.example.com"
          value={fields.mattermost_url}
          required
          onChange={(mattermost_url) => change({ mattermost_url })}
          onBlur={loadChannels}
        />
        <PasswordField
          label={t('integrations.mattermost.token')}
          autoComplete="new-password"
          value={fields.access_token}
          onChange={(access_token) => change({ access_token })}
          onBlur={loadChannels}
        />
        <Select
          label={t('integrations.mattermost.channel')}
          placeholder={t('integrations.mattermost.choose')}
          disabled={!isComplete || options.length === 0}
          error={
            channels.error && isComplete
              ? t('integrations.mattermost.error', { message: errorText(channels.error) })
              : undefined
          }
          options={options}
          value={options.some(({ value }) => value === fields.channel_id) ? fields.channel_id : undefined}
          onChange={(channel_id) => change({ channel_id })}
        />
        <PasswordField
          label={t('integrations.mattermost.webhook')}
          hint={t('integrations.mattermost.webhook_hint')}
          autoComplete="new-password"
          value={fields.verification_token}
          onChange={(verification_token) => change({ verification_token })}
        />
        <FormError text={error} />
        <div className={styles.row}>
          <Button variant="primary" type="submit" loading={saving}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Block>
  )
}
