import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MovingIn, movingIn } from '#contract/operations/moving-in.ts'
import { formatSize } from '../../../platform/formats.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import styles from './MovingIn.module.css'
import { act, removeMovingIn } from './queries.ts'

/** What can be done with a file that has arrived or a server that was named, and after an import. */
export function NextStep({ current: { file, api, report, problem } }: { current: MovingIn }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const run = (work: Promise<void>) => {
    setBusy(true)
    void work.catch((error) => showError('Not done', error)).finally(() => setBusy(false))
  }
  const isDone = !!report && !report.is_dry_run
  const mayStart = !isDone && (!!report || (!!problem && problem.kind !== 'failed'))
  return (
    <Block title={t('moving_in.source')} text={isDone ? undefined : t('moving_in.check_text')}>
      {isDone ? (
        <Banner tone="success">{t(api ? 'moving_in.done_api' : 'moving_in.done')}</Banner>
      ) : (
        <p>
          {file && t('moving_in.arrived', { name: file.name, size: formatSize(file.size) })}
          {api && t('moving_in.connected', { address: api.address })}
        </p>
      )}
      <div className={styles.buttons}>
        <Button disabled={isBusy} onClick={() => run(removeMovingIn(client))}>
          {t(isDone ? 'moving_in.again' : api ? 'moving_in.forget' : 'moving_in.remove')}
        </Button>
        {!isDone && (
          <Button disabled={isBusy} onClick={() => run(act(client, movingIn.check))}>
            {t('moving_in.check')}
          </Button>
        )}
        {mayStart && (
          <Button variant="primary" loading={isBusy} onClick={() => run(act(client, movingIn.start))}>
            {t('moving_in.start')}
          </Button>
        )}
      </div>
    </Block>
  )
}
