import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GoogleAuthorization } from '#contract/integrations/google.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { StatusPill } from '../../features/connections/authorizations/StatusPill.tsx'
import { HealthCard } from '../../features/connections/integrations/HealthCard.tsx'
import { IntegrationPage } from '../../features/connections/integrations/IntegrationPage.tsx'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { AppForm } from '../../features/connections/oauth/AppForm.tsx'
import { ConsentButton } from '../../features/connections/oauth/ConsentButton.tsx'
import { showError } from '../../platform/http/errors.ts'
import { QueryView } from '../../platform/QueryView.tsx'
import { Button } from '../../ui/Button.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { EarlyAccess } from './EarlyAccess.tsx'
import { GoogleNotes } from './GoogleNotes.tsx'
import { googleQuery, saveSheets } from './queries.ts'

/** The account's Google Sheets connection: adds a row for each new customer. */
export function SheetsPage() {
  const { t } = useTranslation()
  const sheets = useQuery(googleQuery('sheets'))
  const { data: connected } = useQuery(integrationsQuery)
  const authorization = connected?.data.find(({ id }) => id === sheets.data?.id)
  return (
    <IntegrationPage
      title="Google Sheets"
      text={t('google.sheets.text')}
      feature="google_sheets"
      badge={
        <EarlyAccess word={t('google.alpha')}>{connected && <StatusPill authorization={authorization} />}</EarlyAccess>
      }
      howItWorks={(['connect', 'switch', 'safe'] as const).map((step) => t(`google.sheets.how.${step}`))}
    >
      {sheets.data === undefined ? (
        <QueryView query={sheets} failed={t('google.failed')} />
      ) : (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          <Block title={t(sheets.data ? 'google.change' : 'google.connect')} text={t('google.consent')}>
            <div className={styles.row}>
              <ConsentButton
                vendor="google"
                request={{ integration: 'google_sheets' }}
                isConnected={sheets.data !== null}
                tooltip={t('google.pending')}
              />
            </div>
          </Block>
          <Settings sheets={sheets.data} />
          <AppForm vendor="google" name="Google" />
          <GoogleNotes />
        </>
      )}
    </IntegrationPage>
  )
}

function Settings({ sheets }: { sheets: GoogleAuthorization | null }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  if (!sheets?.sheets) {
    return (
      <Block title={t('integrations.settings')}>
        <p>{t('connections.not_connected')}</p>
      </Block>
    )
  }
  const { adds_customers, spreadsheet_url } = sheets.sheets
  async function change(isOn: boolean) {
    if (isSaving) return
    setSaving(true)
    await saveSheets(client, sheets!.id, isOn).catch((error) => showError('Settings not saved', error))
    setSaving(false)
  }
  return (
    <Block title={t('integrations.settings')}>
      <Switch
        label={t('google.sheets.adds_customers')}
        hint={t('google.sheets.adds_customers_hint')}
        checked={adds_customers}
        onChange={change}
      />
      {adds_customers && !spreadsheet_url && (
        <Button variant="primary" loading={isSaving} onClick={() => change(true)}>
          {t('google.sheets.create')}
        </Button>
      )}
      {spreadsheet_url && (
        <dl>
          <Definition name={t('google.sheets.spreadsheet')}>
            <a href={spreadsheet_url} target="_blank" rel="noopener noreferrer">
              {t('google.sheets.open')}
            </a>
          </Definition>
        </dl>
      )}
    </Block>
  )
}
