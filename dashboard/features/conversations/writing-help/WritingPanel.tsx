import { type ReactNode, type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { REWRITING, type WritingSource, type WrittenText } from '#contract/conversations/writing-help.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { insertText } from '../../../ui/insert-text.ts'
import { addNote } from './queries.ts'
import { changeRun, closeRun, type Run, startRun, useRun } from './runs.ts'
import styles from './WritingPanel.module.css'

interface PanelProps {
  conversation_id: string
  /** The text in the composer, and its field. */
  body: string
  isNote: boolean
  box: RefObject<HTMLTextAreaElement | null>
  /** Changes the text in the composer. */
  write: (body: string) => void
  /** Keeps what the agent wrote beside its translation. */
  keepOriginal: (original: string) => void
}

/** Above the text field: what the model writes, and what its text is made from. It changes no text without a way back. */
export function WritingPanel(props: PanelProps) {
  const run = useRun(props.conversation_id)
  return run ? <OpenPanel {...props} run={run} /> : null
}

function OpenPanel({ conversation_id, body, isNote, box, write, keepOriginal, run }: PanelProps & { run: Run }) {
  const { t } = useTranslation()
  const { request, state, written, replaced } = run
  const isSummary = request.task === 'summarize'
  const isTranslation = request.task === 'translate'
  const isInserted = replaced !== undefined
  const replace = (text: string) => {
    const field = box.current
    // As if typed, so that the keys for undo take it back, too. An empty field need not take the focus for that.
    if (field && body !== '') insertText(field, text, 0, field.value.length)
    else write(text)
  }
  const use = (text: string) => {
    changeRun(conversation_id, run.stop, { replaced: body })
    replace(text)
    if (isTranslation) keepOriginal(body)
  }
  // A text that somebody has begun meanwhile is not replaced: they press the button.
  const expected = REWRITING.includes(request.task) ? request.text : ''
  const mayInsert = state === 'done' && !isSummary && !isInserted && !isNote && body === (expected ?? '')
  useEffect(() => {
    if (mayInsert && written) use(written.text)
  })
  const wasSent = isInserted && body === ''
  useEffect(() => {
    if (wasSent) closeRun(conversation_id)
  }, [wasSent, conversation_id])
  return (
    <section className={styles.panel} aria-label={t('writing.panel')} aria-busy={state === 'writing'}>
      <header className={styles.head}>
        <Icon name="wand" size={16} />
        <span className={styles.title} role="status">
          {titleOf()}
        </span>
        {state === 'writing' ? (
          <Button size="small" onClick={() => closeRun(conversation_id)}>
            {t('writing.stop')}
          </Button>
        ) : (
          <IconButton icon="close" label={t('writing.close')} onClick={() => closeRun(conversation_id)} />
        )}
      </header>
      {state === 'writing' && run.text && <p className={styles.text}>{run.text}</p>}
      {state === 'failed' && (
        <>
          <p role="alert">{run.problem}</p>
          <Actions>
            <Button size="small" onClick={() => void startRun(conversation_id, request)}>
              {t('writing.retry')}
            </Button>
          </Actions>
        </>
      )}
      {written && (
        <>
          {(isSummary || !isInserted) && <p className={styles.text}>{written.text}</p>}
          <Findings written={written} />
          <Actions>
            {isSummary && (
              <Button size="small" variant="primary" onClick={keepNote}>
                {t('writing.keep_note')}
              </Button>
            )}
            {!isSummary && !isInserted && (
              <Button size="small" variant="primary" onClick={() => use(written.text)}>
                {t('writing.use')}
              </Button>
            )}
            {isInserted && !isTranslation && body !== replaced && (
              <Button
                size="small"
                onClick={() => {
                  replace(replaced)
                  closeRun(conversation_id)
                }}
              >
                {t(replaced ? 'writing.put_back' : 'writing.discard')}
              </Button>
            )}
            <Button size="small" onClick={() => void startRun(conversation_id, again())}>
              {t('writing.again')}
            </Button>
          </Actions>
        </>
      )}
    </section>
  )

  async function keepNote() {
    try {
      await addNote(conversation_id, written?.text ?? '')
      closeRun(conversation_id)
    } catch (error) {
      showError(t('writing.not_kept'), error)
    }
  }

  /** Rewriting begins from the agent's own words again. */
  function again() {
    if (isInserted && body === written?.text) replace(replaced)
    return { ...request, again: true }
  }

  function titleOf(): string {
    if (state === 'writing') return t('writing.writing')
    if (state === 'failed') return t('writing.failed')
    const isUntouched = !isInserted || body === written?.text
    return isSummary ? t('writing.summary') : t(isUntouched ? 'writing.read_it' : 'writing.edited')
  }
}

function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}

/** What somebody should look at before they send a text: what was removed, and which sentence has no source. */
function Findings({ written: { sentences, sources, removed, missing, is_cut } }: { written: WrittenText }) {
  const { t } = useTranslation()
  return (
    <>
      {is_cut && <p className={styles.warning}>{t('writing.cut')}</p>}
      {removed.length > 0 && <p className={styles.warning}>{t('writing.removed', { list: removed.join(', ') })}</p>}
      {missing.length > 0 && <p className={styles.warning}>{t('writing.missing', { list: missing.join(', ') })}</p>}
      {sentences.length > 0 && (
        <details className={styles.details}>
          <summary>{t('writing.sources', { count: sources.length })}</summary>
          <ul>
            <Each name="sentence" items={sentences} keyOf={(_, at) => at}>
              {({ text, sources: named }) => (
                <li>
                  {text}{' '}
                  <span className={styles.quiet}>
                    {named.length > 0 ? `[${named.join(', ')}]` : t('writing.no_source')}
                  </span>
                </li>
              )}
            </Each>
          </ul>
          <ul className={styles.sources}>
            <Each name="source" items={sources} keyOf={({ number }) => number}>
              {(source) => (
                <li>
                  <SourceName source={source} />
                </li>
              )}
            </Each>
          </ul>
        </details>
      )}
    </>
  )
}

function SourceName({ source: { number, kind, name, url } }: { source: WritingSource }) {
  const { t } = useTranslation()
  return (
    <>
      <span className={styles.quiet}>[{number}]</span>{' '}
      {url ? (
        <a href={url} target="_blank" rel="noreferrer">
          {name}
        </a>
      ) : (
        name
      )}{' '}
      <span className={styles.quiet}>{t(`writing.kinds.${kind}`)}</span>
    </>
  )
}
