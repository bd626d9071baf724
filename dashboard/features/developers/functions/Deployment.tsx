import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Lambda } from '#contract/developers/functions.ts'
import type { SaveState } from '../../../platform/forms/autosave.ts'
import { errorText, logError } from '../../../platform/http/errors.ts'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { notify } from '../../../ui/notices.ts'
import styles from './Functions.module.css'
import { deployFunction } from './queries.ts'

interface DeploymentProps {
  lambda: Lambda
  /** Whether the code differs from the deployed one. */
  isChanged: boolean
  state: SaveState
  flush: () => Promise<void>
}

/** Deploys the code, or a zip with modules. */
export function Deployment({ lambda, isChanged, state, flush }: DeploymentProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isDeploying, setDeploying] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  async function deploy(zip?: File) {
    setDeploying(true)
    try {
      await flush()
      await deployFunction(client, lambda.id, zip)
      notify({ kind: 'success', title: t('functions.deployed'), seconds: 2 })
    } catch (error) {
      logError('Function not deployed', error)
      notify({ kind: 'error', title: t('functions.not_deployed'), text: errorText(error) })
    }
    setDeploying(false)
  }
  const { last_deployed_at: when, modules } = lambda
  return (
    <div className={styles.deploy}>
      <Button variant="primary" loading={isDeploying} onClick={() => deploy()}>
        {t('functions.deploy')}
      </Button>
      <Button disabled={isDeploying} onClick={() => picker.current?.click()}>
        {t('functions.upload')}
      </Button>
      <input
        ref={picker}
        hidden
        type="file"
        accept=".zip,application/zip"
        aria-label={t('functions.upload')}
        onChange={({ target }) => {
          const [zip] = target.files ?? []
          target.value = ''
          if (zip) deploy(zip)
        }}
      />
      <div className={styles.quiet}>
        <div role="status">
          {state.is === 'saving' && t('functions.saving')}
          {state.is === 'saved' && t('functions.saved')}
          {state.is === 'failed' && `${t('functions.not_saved')} ${errorText(state.error)}`}
        </div>
        <div>{when ? t('functions.deployed_at', { when: messageTime(when) }) : t('functions.never_deployed')}</div>
        {when && isChanged && <div>{t('functions.changed')}</div>}
        {modules.length > 0 && <div>{t('functions.modules', { count: modules.length })}</div>}
      </div>
    </div>
  )
}
