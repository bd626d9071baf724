import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { FunctionRun } from '#contract/developers/functions.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { invalidateSoon } from '../../../platform/realtime/invalidate-soon.ts'
import { openSideSocket } from '../../../platform/realtime/side-socket.ts'
import { messageTime } from '../../../platform/times.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { EmptyLine } from '../../../ui/EmptyLine.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx'
import { Table } from '../../../ui/Table.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import styles from './Functions.module.css'
import { runsQuery } from './queries.ts'

const TONES = { queued: 'neutral', running: 'accent', succeeded: 'success', failed: 'danger' } as const

/** The latest runs of a function, updated live. */
export function RunLog({ id }: { id: string }) {
  const { t } = useTranslation()
  const opened = useDialog<FunctionRun>()
  return (
    <Block wide title={t('functions.runs')} text={t('functions.runs_text')}>
      <Runs id={id} open={opened.open} />
      {opened.item && <RunDialog key={opened.turn} run={opened.item} open={opened.isOpen} close={opened.close} />}
    </Block>
  )
}

function Runs({ id, open }: { id: string; open: (run: FunctionRun) => void }) {
  const { t } = useTranslation()
  useLiveRuns(useTeam().account.id, id)
  const runs = useQuery(runsQuery(id))
  if (!runs.data) return <QueryView query={runs} failed={t('functions.runs_failed')} />
  if (runs.data.length === 0) {
    return <EmptyLine>{t('functions.no_runs')}</EmptyLine>
  }
  const columns = [t('functions.event'), t('functions.outcome'), t('functions.when'), t('functions.details')] as const
  return (
    <Table label={t('functions.runs')} columns={columns}>
      <Each name="run" items={runs.data} keyOf={(run) => run.id}>
        {(run) => {
          const when = messageTime(run.created_at)
          return (
            <tr>
              <td>
                {run.event} {run.is_test && <Pill>{t('functions.test')}</Pill>}
              </td>
              <td>
                <Pill tone={TONES[run.state]}>{t(`functions.run_states.${run.state}`)}</Pill>{' '}
                <span className={styles.quiet}>{run.error?.errorMessage ?? run.logs[0]?.text}</span>
              </td>
              <td>
                {when} {run.duration_ms !== null && t('functions.duration', { ms: run.duration_ms })}
              </td>
              <td>
                <Button
                  variant="text"
                  size="small"
                  aria-label={`${t('functions.details')} ${run.event} ${when}`}
                  onClick={() => open(run)}
                >
                  {t('functions.details')}
                </Button>
              </td>
            </tr>
          )
        }}
      </Each>
    </Table>
  )
}

function RunDialog({ run, open, close }: { run: FunctionRun; open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const { error, logs, result } = run
  return (
    <Dialog
      title={run.event}
      size={640}
      open={open}
      close={close}
      footer={<Button onClick={close}>{t('close')}</Button>}
    >
      {error && (
        <>
          <h3>{t('functions.error')}</h3>
          <Text label={t('functions.error')} text={[error.errorMessage, ...error.trace].join('\n')} />
        </>
      )}
      {!error && (
        <>
          <h3>{t('functions.result')}</h3>
          <Text label={t('functions.result')} text={JSON.stringify(result ?? null, null, 2)} />
        </>
      )}
      <h3>{t('functions.logs')}</h3>
      {logs.length > 0 ? (
        <Text label={t('functions.logs')} text={logs.map(({ level, text }) => `${level}: ${text}`).join('\n')} />
      ) : (
        <p className={styles.quiet}>{t('functions.no_logs')}</p>
      )}
    </Dialog>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <ScrollRegion label={label} className={styles.text}>
      {text}
    </ScrollRegion>
  )
}

/** Refetches the runs of a function when the server reports new ones. */
function useLiveRuns(account_id: string, id: string) {
  const client = useQueryClient()
  useEffect(() => {
    const socket = openSideSocket()
    const refetch = () => invalidateSoon(client, [runsQuery(id).queryKey])
    const channel = socket.channel(`functions:${account_id}`, {})
    channel.on('functions:ran', ({ function_id }: { function_id: string }) => {
      if (function_id === id) refetch()
    })
    // Runs on every join, because events are missed while disconnected.
    channel.join().receive('ok', refetch)
    return () => socket.disconnect()
  }, [client, account_id, id])
}
