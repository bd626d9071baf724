import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppVendor } from '#contract/connections/oauth.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import styles from '../integrations/Integrations.module.css'
import { appQuery } from './queries.ts'
import { type ConsentRequest, startOAuth } from './start.ts'

interface ConsentButtonProps {
  vendor: AppVendor
  request: ConsentRequest
  isConnected: boolean
  tooltip?: string
}

/** Opens the consent page of a vendor, once an OAuth app is configured. */
export function ConsentButton({ vendor, request, isConnected, tooltip }: ConsentButtonProps) {
  const { t } = useTranslation()
  const { data: app } = useQuery(appQuery(vendor))
  const [isLeaving, setLeaving] = useState(false)
  const isMissing = app !== undefined && app.source === null
  async function leave() {
    setLeaving(true)
    await startOAuth(request).catch((error) => {
      showError('Consent page not opened', error)
      setLeaving(false)
    })
  }
  const button = (
    <Button
      variant={isConnected ? 'plain' : 'primary'}
      loading={isLeaving}
      disabled={app === undefined || isMissing}
      onClick={leave}
    >
      {t(isConnected ? 'oauth.reconnect' : 'oauth.connect')}
    </Button>
  )
  return (
    <>
      {tooltip ? <Tooltip text={tooltip}>{button}</Tooltip> : button}
      {isMissing && <span className={`${styles.quiet} ${styles.hint}`}>{t('oauth.app_missing')}</span>}
    </>
  )
}
