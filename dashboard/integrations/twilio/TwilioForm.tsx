import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TwilioAuthorization } from '#contract/integrations/twilio.ts'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { useSaving } from '../../platform/forms/useSaving.ts'
import { Button } from '../../ui/Button.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { notify } from '../../ui/notices.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { saveTwilio } from './queries.ts'

/** The server's message for details that Twilio refuses. */
const INVALID = 'Invalid Twilio authorization details.'

interface TwilioFormProps {
  /** The primary inbox by default. */
  inbox_id: string | undefined
  twilio: TwilioAuthorization | null
  isCalled: boolean
}

/** Phone number, account and token, which are checked at Twilio before anything is saved. */
export function TwilioForm({ inbox_id, twilio, isCalled }: TwilioFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [from_phone_number, setNumber] = useState(twilio?.from_phone_number ?? '')
  const [twilio_account_sid, setSid] = useState(twilio?.twilio_account_sid ?? '')
  const [twilio_auth_token, setToken] = useState(twilio?.twilio_auth_token ?? '')
  const [messaging_service_sid, setService] = useState(twilio?.messaging_service_sid ?? '')
  const [whatsapp_number, setWhatsapp] = useState(twilio?.whatsapp_number ?? '')
  const [stopWords, setStopWords] = useState(twilio?.stop_words.join(', ') ?? '')
  const [sets_webhook, setWebhook] = useState(isCalled || !twilio)
  const [serviceError, setServiceError] = useState<string>()
  const [whatsappError, setWhatsappError] = useState<string>()
  // Twilio only calls public addresses.
  const isReachable = location.protocol === 'https:'
  const { saving, error, submit, guard } = useSaving(async () => {
    setServiceError(undefined)
    setWhatsappError(undefined)
    const details = { from_phone_number, twilio_account_sid, twilio_auth_token, messaging_service_sid, whatsapp_number }
    const refusal = await saveTwilio(client, {
      ...details,
      stop_words: stopWords
        .split(/[,;\n]/)
        .map((word) => word.trim())
        .filter(Boolean),
      inbox_id: inbox_id ?? null,
      sets_webhook: isReachable && sets_webhook,
    })
    if (refusal?.service_refusal) {
      setServiceError(t(`twilio.service_refusal.${refusal.service_refusal}`))
      throw new Error(t('twilio.service_refused'))
    }
    if (refusal?.whatsapp_refusal) {
      setWhatsappError(t(`twilio.whatsapp_refusal.${refusal.whatsapp_refusal}`))
      throw new Error(t('twilio.whatsapp_refused'))
    }
    if (refusal) throw new Error(refusal.error === INVALID ? t('twilio.invalid') : refusal.error)
    notify({ kind: 'success', title: t('twilio.connected') })
  })
  return (
    <Block title={t(twilio ? 'twilio.change' : 'twilio.connect')} text={t('twilio.tried')}>
      <form ref={guard.watch} className={styles.form} onSubmit={submit}>
        <TextField
          type="tel"
          label={t('twilio.number')}
          hint={t('twilio.number_hint')}
          placeholder="+12025550100"
          value={from_phone_number}
          required
          autoComplete="off"
          dir="ltr"
          onChange={setNumber}
        />
        <TextField
          label={t('twilio.sid')}
          placeholder="AC…"
          value={twilio_account_sid}
          required
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          onChange={setSid}
        />
        <PasswordField
          label={t('twilio.token')}
          autoComplete="new-password"
          value={twilio_auth_token}
          onChange={setToken}
        />
        <TextField
          label={t('twilio.service')}
          hint={t('twilio.service_hint')}
          placeholder="MG…"
          value={messaging_service_sid}
          error={serviceError}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          onChange={setService}
        />
        <TextField
          type="tel"
          label={t('twilio.whatsapp')}
          hint={t('twilio.whatsapp_hint')}
          placeholder="+14155238886"
          value={whatsapp_number}
          error={whatsappError}
          autoComplete="off"
          dir="ltr"
          onChange={setWhatsapp}
        />
        <TextField
          label={t('twilio.stop_words')}
          hint={t('twilio.stop_words_hint')}
          value={stopWords}
          autoComplete="off"
          onChange={setStopWords}
        />
        {isReachable && (
          <Switch
            label={t('twilio.webhook')}
            hint={t('twilio.webhook_hint')}
            checked={sets_webhook}
            onChange={setWebhook}
          />
        )}
        <FormError text={error} />
        <div className={styles.row}>
          <Button variant="primary" type="submit" loading={saving}>
            {t(twilio ? 'integrations.update' : 'integrations.connect')}
          </Button>
        </div>
      </form>
    </Block>
  )
}
