import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { MovingIn } from '#contract/operations/moving-in.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Page } from '../../../ui/Page.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import styles from './MovingIn.module.css'
import { MovingReportView } from './MovingReportView.tsx'
import { NextStep } from './NextStep.tsx'
import { movingInQuery } from './queries.ts'
import { SourceChoice } from './SourceChoice.tsx'
import { Working } from './Working.tsx'

/** Moves the data of another product in: upload a file, see what would be moved, and start. */
export function MovingInPage() {
  const { t } = useTranslation()
  return (
    <AdminsOnly>
      <Page title={t('moving_in.title')} text={t('moving_in.text')}>
        <Content />
      </Page>
    </AdminsOnly>
  )
}

function Content() {
  const { t } = useTranslation()
  const query = useQuery(movingInQuery)
  const current = query.data
  if (!current) return <QueryView query={query} failed={t('moving_in.failed')} />
  if (!current.may_move) return <Banner>{t('moving_in.not_yours')}</Banner>
  if (current.max_bytes === 0) return <Banner>{t('moving_in.off')}</Banner>
  return (
    <>
      <Problem current={current} />
      <Step current={current} />
      {current.report && <MovingReportView report={current.report} />}
      <Block title={t('moving_in.promises')}>
        <ul className={styles.promises}>
          {(['sends', 'rings', 'webhooks', 'whole', 'yours'] as const).map((promise) => (
            <li key={promise}>{t(`moving_in.promise.${promise}`)}</li>
          ))}
        </ul>
      </Block>
    </>
  )
}

function Step({ current }: { current: MovingIn }) {
  if (current.state === 'none' || current.state === 'uploading') return <SourceChoice current={current} />
  if (current.state === 'waiting') return <NextStep current={current} />
  return <Working current={current} />
}

/** Why the last check or import did not end well. */
function Problem({ current: { problem } }: { current: MovingIn }) {
  const { t } = useTranslation()
  if (!problem) return null
  return (
    <Banner tone={problem.kind === 'stopped' ? 'info' : 'danger'}>
      {t(`moving_in.problem.${problem.kind}`)} {problem.text}
    </Banner>
  )
}
