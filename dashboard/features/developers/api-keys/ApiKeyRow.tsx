import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey } from '#contract/developers/api-keys.ts'
import { showError } from '../../../platform/http/errors.ts'
import { dayTitle, useAges } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import styles from './ApiKeysPage.module.css'
import { deleteKey, revealKey } from './queries.ts'

interface RowProps {
  apiKey: ApiKey
  /** The key itself, while it is shown. */
  value: string | undefined
  show: (value: string) => Promise<void>
  hide: () => void
}

/** One key: its purpose, its value, and its permissions. */
export function ApiKeyRow({ apiKey, value, show, hide }: RowProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isRevealing, setRevealing] = useState(false)
  const { id, label } = apiKey
  async function reveal() {
    setRevealing(true)
    await revealKey(id)
      .then(show)
      .catch((error) => showError('API key not revealed', error))
    setRevealing(false)
  }
  const remove = () => deleteKey(client, id).catch((error) => showError('API key not deleted', error))
  const action = t(value ? 'api_keys.hide' : 'api_keys.reveal')
  return (
    <tr>
      <td>
        <Truncate text={label} /> {apiKey.scope === 'read' && <Pill>{t('api_keys.read_only')}</Pill>}
        <Facts apiKey={apiKey} />
      </td>
      <td>
        <code className={styles.value}>{value ?? apiKey.value}</code>
      </td>
      <td>
        <Button
          variant="text"
          size="small"
          aria-label={`${action} ${label}`}
          loading={isRevealing}
          onClick={value ? hide : reveal}
        >
          {action}
        </Button>
        <Confirm question={t('api_keys.confirm', { label })} yes={t('yes')} no={t('no')} run={remove}>
          <Button variant="text" size="small" aria-label={`${t('api_keys.delete')} ${label}`}>
            {t('api_keys.delete')}
          </Button>
        </Confirm>
      </td>
    </tr>
  )
}

function Facts({ apiKey: { created_at, last_used_at, expires_at } }: { apiKey: ApiKey }) {
  const { t } = useTranslation()
  const formatAge = useAges()
  const isExpired = !!expires_at && Date.parse(expires_at) <= Date.now()
  return (
    <div className={styles.facts}>
      <span>{t('api_keys.created', { day: dayTitle(created_at) })}</span>
      <span>
        {last_used_at ? t('api_keys.last_used', { ago: formatAge(last_used_at, 'long') }) : t('api_keys.never_used')}
      </span>
      {isExpired && <Pill tone="danger">{t('api_keys.expired')}</Pill>}
      {expires_at && !isExpired && <span>{t('api_keys.expires_on', { day: dayTitle(expires_at) })}</span>}
    </div>
  )
}
