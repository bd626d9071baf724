import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { SlackAuthorization, SlackType, SlackWorkspace } from '#contract/integrations/slack.ts'
import { slackAppLink } from '#contract/integrations/slack-app.ts'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { useSaving } from '../../platform/forms/useSaving.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { ComboBox } from '../../ui/ComboBox.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { notify } from '../../ui/notices.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { connectChannel, lookUpWorkspace } from './queries.ts'
import slackStyles from './Slack.module.css'

interface SlackFormProps {
  type: SlackType
  inbox_id: string
  /** The connection to change. */
  connection?: SlackAuthorization | undefined
  onConnected?(): void
}

/** Connects with the tokens of a Slack app: they are tested first, then a channel is chosen. */
export function SlackForm({ type, inbox_id, connection, onConnected }: SlackFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [tokens, setTokens] = useState({
    bot_token: connection?.bot_token ?? '',
    app_token: connection?.app_token ?? '',
  })
  const [workspace, setWorkspace] = useState<SlackWorkspace>()
  const [channel_id, setChannel] = useState<string | null>(connection?.channel_id ?? null)
  const authorization = { type, inbox_id, id: connection?.id ?? null, ...tokens }
  function write(changes: Partial<typeof tokens>) {
    setTokens((before) => ({ ...before, ...changes }))
    setWorkspace(undefined)
  }
  const looking = useSaving(async () => setWorkspace(await lookUpWorkspace(authorization)))
  const connecting = useSaving(async () => {
    if (channel_id) await connect(channel_id)
  })
  const { saving, error, submit } = workspace ? connecting : looking
  async function connect(chosen: string) {
    await connectChannel(client, { ...authorization, channel_id: chosen })
    notify({ kind: 'success', title: t('slack.connected') })
    setWorkspace(undefined)
    onConnected?.()
  }
  return (
    <Block title={t(connection ? 'slack.change' : 'slack.connect')} text={t('slack.connect_text')}>
      <form ref={connecting.guard.watch} className={styles.form} onSubmit={submit}>
        {!connection && <Steps />}
        <PasswordField
          label={t('slack.bot_token')}
          hint={t('slack.bot_token_hint')}
          autoComplete="new-password"
          value={tokens.bot_token}
          onChange={(bot_token) => write({ bot_token })}
        />
        <PasswordField
          label={t('slack.app_token')}
          hint={t('slack.app_token_hint')}
          autoComplete="new-password"
          value={tokens.app_token}
          onChange={(app_token) => write({ app_token })}
        />
        {workspace && <Channels workspace={workspace} value={channel_id} onChange={setChannel} />}
        <FormError text={error} />
        <div className={styles.row}>
          <Button
            variant="primary"
            type="submit"
            loading={saving}
            disabled={!tokens.bot_token || (!!workspace && !channel_id)}
          >
            {t(workspace ? (connection ? 'slack.reconnect' : 'slack.connect_channel') : 'slack.find')}
          </Button>
        </div>
      </form>
    </Block>
  )
}

function Steps() {
  return (
    <ol className={slackStyles.steps}>
      <li>
        <Trans
          i18nKey="slack.steps.create"
          components={{
            app: (
              <a href={slackAppLink('Parley')} target="_blank" rel="noopener noreferrer">
                .
              </a>
            ),
          }}
        />
      </li>
      <StepText name="install" />
      <StepText name="token" />
    </ol>
  )
}

function StepText({ name }: { name: 'install' | 'token' }) {
  const { t } = useTranslation()
  return <li>{t(`slack.steps.${name}`)}</li>
}

interface ChannelsProps {
  workspace: SlackWorkspace
  value: string | null
  onChange(id: string | null): void
}

function Channels({ workspace: { team_name, bot_name, channels }, value, onChange }: ChannelsProps) {
  const { t } = useTranslation()
  // Memoized, because a new list would close the combo box while typing.
  const options = useMemo(() => channels.map(({ id, name }) => ({ value: id, label: `#${name}` })), [channels])
  if (channels.length === 0) return <Banner tone="warning">{t('slack.no_channels')}</Banner>
  return (
    <>
      <p className={styles.quiet}>{t('slack.workspace', { name: team_name, bot: bot_name })}</p>
      <ComboBox label={t('slack.channel')} options={options} value={value} onChange={onChange} />
    </>
  )
}
