import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FunctionRun, Lambda } from '#contract/developers/functions.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/developers/webhooks.ts'
import { showError } from '../../../platform/http/errors.ts'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Check } from '../../../ui/Check.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { notify } from '../../../ui/notices.ts'
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { TestNote } from '../../widget/widget-settings/TestNote.tsx'
import { testTokenQuery } from '../../widget/widget-settings/test-token.ts'
import { completeFunction } from './completions.ts'
import { Deployment } from './Deployment.tsx'
import styles from './Functions.module.css'
import { runsQuery, saveFunction, tryFunction } from './queries.ts'
import { RunLog } from './RunLog.tsx'
import { TestChat } from './TestChat.tsx'
import { useFunctionDraft } from './useFunctionDraft.ts'

const CodeEditor = lazyComponent(async () => (await import('../../../ui/CodeEditor.tsx')).CodeEditor)

/** Edits and tries a function. */
export function FunctionEditor({ lambda }: { lambda: Lambda }) {
  const { t } = useTranslation()
  const { draft, state, change, flush } = useFunctionDraft(lambda)
  return (
    <>
      <div className={styles.fields}>
        <TextField
          label={t('functions.name')}
          maxLength={100}
          value={draft.name}
          onChange={(name) => change({ name })}
        />
        <TextField
          label={t('functions.description')}
          maxLength={1000}
          value={draft.description}
          onChange={(description) => change({ description })}
        />
      </div>
      <div className={styles.code}>
        <Suspense fallback={<TableSkeleton label={t('loading')} />}>
          <CodeEditor
            label={t('functions.code')}
            language="javascript"
            value={draft.code}
            onChange={(code) => change({ code })}
            onSave={flush}
            complete={completeFunction}
          />
        </Suspense>
      </div>
      <Deployment
        lambda={lambda}
        isChanged={lambda.is_changed || draft.code !== (lambda.code ?? '')}
        state={state}
        flush={flush}
      />
      <Activity lambda={lambda} />
      <Block title={t('functions.events')} text={t('functions.events_text')}>
        <EventChoice events={draft.events} change={(events) => change({ events })} />
      </Block>
      <Trial lambda={lambda} flush={flush} />
      <RunLog id={lambda.id} />
    </>
  )
}

function Activity({ lambda: { id, status } }: { lambda: Lambda }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const switchTo = (isOn: boolean) =>
    saveFunction(client, id, { status: isOn ? 'active' : 'inactive' }).catch((error) =>
      showError('Function not saved', error),
    )
  return (
    <Block title={t('functions.status')}>
      <Switch
        label={t('functions.active')}
        hint={t(`functions.state_hints.${status}`)}
        checked={status === 'active'}
        onChange={switchTo}
      />
    </Block>
  )
}

function Trial({ lambda, flush }: { lambda: Lambda; flush: () => Promise<void> }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: runs } = useQuery(runsQuery(lambda.id))
  const last = runs?.find(({ state }) => state === 'succeeded' || state === 'failed')
  const token = useQuery(testTokenQuery)
  const [isRunning, setRunning] = useState(false)
  // An active function also receives the messages of the test chat.
  const runsByItself = lambda.status === 'active' && lambda.events.includes('message:created')
  async function sent(message_id: string) {
    if (runsByItself) return
    setRunning(true)
    try {
      await flush()
      const { error } = await tryFunction(client, lambda.id, message_id)
      if (error) {
        const seconds = Number.POSITIVE_INFINITY
        notify({ kind: 'error', title: t('functions.run_failed'), text: error.errorMessage, seconds })
      }
    } catch (error) {
      showError('Function not run', error)
    }
    setRunning(false)
  }
  return (
    <Block wide title={t('functions.try')} text={t(runsByItself ? 'functions.try_active' : 'functions.try_text')}>
      <div className={styles.trial}>
        <div className={styles.test}>
          {token.data ? (
            <TestChat sent={sent} test_token={token.data} />
          ) : (
            <QueryView query={token} failed={t('test_conversations.failed')} />
          )}
          <TestNote />
        </div>
        <div className={styles.output}>
          <h3>{t('functions.output')}</h3>
          <ScrollRegion label={t('functions.output')} className={styles.text}>
            {isRunning ? t('functions.running') : <Output run={last} />}
          </ScrollRegion>
        </div>
      </div>
    </Block>
  )
}

function Output({ run }: { run: FunctionRun | undefined }) {
  const { t } = useTranslation()
  if (!run) return t('functions.no_output')
  return JSON.stringify(run.error ?? run.result ?? null, null, 2)
}

/** The events that run a function; at least one stays selected. */
function EventChoice({ events, change }: { events: WebhookEvent[]; change: (events: WebhookEvent[]) => void }) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.events}>
      <legend className="unseen">{t('functions.events')}</legend>
      {WEBHOOK_EVENTS.map((event) => (
        <Check
          key={event}
          label={event}
          checked={events.includes(event)}
          onChange={(isChecked) => {
            const next = isChecked ? [...events, event] : events.filter((other) => other !== event)
            if (next.length > 0) change(next)
          }}
        />
      ))}
    </fieldset>
  )
}
