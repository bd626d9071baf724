import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TelegramConnection } from '#contract/integrations/telegram.ts'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { useSaving } from '../../platform/forms/useSaving.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { notify } from '../../ui/notices.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { saveTelegram } from './queries.ts'

interface TelegramFormProps {
  /** The primary inbox by default. */
  inbox_id: string | undefined
  connection: TelegramConnection | null
}

/** The token of a bot, which is checked at Telegram before it is saved. Another program that has the bot so far is named first. */
export function TelegramForm({ inbox_id, connection }: TelegramFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [token, setToken] = useState(connection?.token ?? '')
  const [takenBy, setTakenBy] = useState<string>()
  const { saving, error, submit, guard } = useSaving(async () => {
    const host = await saveTelegram(client, { token, inbox_id: inbox_id ?? null, removes_webhook: !!takenBy })
    setTakenBy(host)
    if (!host) notify({ kind: 'success', title: t('telegram.connected') })
  })
  const change = (text: string) => {
    setToken(text)
    setTakenBy(undefined)
  }
  return (
    <Block title={t(connection ? 'telegram.change' : 'telegram.connect')} text={t('telegram.tried')}>
      <form ref={guard.watch} className={styles.form} onSubmit={submit}>
        <PasswordField label={t('telegram.token')} autoComplete="new-password" value={token} onChange={change} />
        {takenBy && <Banner tone="warning">{t('telegram.taken', { host: takenBy })}</Banner>}
        <FormError text={error} />
        <div className={styles.row}>
          <Button variant="primary" type="submit" loading={saving}>
            {takenBy ? t('telegram.take') : t(connection ? 'integrations.update' : 'integrations.connect')}
          </Button>
        </div>
      </form>
    </Block>
  )
}
