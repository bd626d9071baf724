import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IntegrationApp } from '#contract/connections/oauth.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Definition } from '../../../ui/Definition.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { notify } from '../../../ui/notices.ts'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from '../integrations/Integrations.module.css'
import { appQuery, removeApp, saveApp } from './queries.ts'

interface AppFormProps {
  vendor: IntegrationApp['vendor']
  /** The vendor's name. */
  name: string
}

/** The OAuth app: what to enter at the vendor, and the credentials that it returns. */
export function AppForm({ vendor, name }: AppFormProps) {
  const { t } = useTranslation()
  const app = useQuery(appQuery(vendor))
  return (
    <Block title={t('oauth.app', { vendor: name })} text={t('oauth.app_text', { vendor: name })}>
      {app.data ? (
        <Fields key={app.data.client_id} app={app.data} />
      ) : (
        <QueryView query={app} failed={t('oauth.app_failed')} />
      )}
    </Block>
  )
}

function Fields({ app }: { app: IntegrationApp }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [id, setId] = useState(app.client_id ?? '')
  const [secret, setSecret] = useState(app.client_secret ?? '')
  const [signing, setSigning] = useState(app.signing_secret ?? '')
  const { saving, error, submit, guard } = useSaving(async () => {
    const draft = { client_id: id, client_secret: secret, ...(app.vendor === 'slack' && { signing_secret: signing }) }
    await saveApp(client, app.vendor, draft)
    notify({ kind: 'success', title: t('oauth.saved') })
  })
  const remove = () => removeApp(client, app.vendor).catch((failure) => showError('App not removed', failure))
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit}>
      {app.source === 'server' && <Banner>{t('oauth.app_of_server')}</Banner>}
      <dl className={styles.stacked}>
        <Definition name={t('oauth.redirect_uri')}>
          <CopyField
            label={t('oauth.redirect_uri')}
            value={app.redirect_uri}
            copyLabel={t('copy')}
            copied={(done) => done && notify({ kind: 'success', title: t('oauth.copied') })}
          />
        </Definition>
      </dl>
      <TextField label={t('oauth.client_id')} autoComplete="off" value={id} required onChange={setId} />
      <PasswordField label={t('oauth.client_secret')} autoComplete="new-password" value={secret} onChange={setSecret} />
      {app.vendor === 'slack' && (
        <PasswordField
          label={t('oauth.signing_secret')}
          autoComplete="new-password"
          value={signing}
          onChange={setSigning}
        />
      )}
      <FormError text={error} />
      <div className={styles.row}>
        <Button type="submit" loading={saving}>
          {t('save')}
        </Button>
        {app.source === 'account' && (
          <Confirm question={t('oauth.remove_app_confirm')} yes={t('yes')} no={t('no')} run={remove}>
            <Button variant="text">{t('oauth.remove_app')}</Button>
          </Confirm>
        )}
      </div>
    </form>
  )
}
