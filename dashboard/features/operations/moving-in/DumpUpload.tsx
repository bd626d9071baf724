import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MovingIn, movingIn, type ProductId } from '#contract/operations/moving-in.ts'
import { formatSize } from '../../../platform/formats.ts'
import { errorText, logError } from '../../../platform/http/errors.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { CodeSnippet } from '../../../ui/CodeSnippet.tsx'
import { FileField } from '../../../ui/FileField.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import styles from './MovingIn.module.css'
import { act, showMovingIn } from './queries.ts'
import { uploadDump } from './upload.ts'

const COMMAND = 'pg_dump --no-owner "$DATABASE_URL" | gzip > dump.sql.gz'

interface DumpUploadProps {
  current: MovingIn
  product: ProductId
  onRunning: (isRunning: boolean) => void
}

/** Chooses a file and uploads it. */
export function DumpUpload({ current, product, onRunning }: DumpUploadProps) {
  const { t } = useTranslation()
  const { state, start } = useUpload(product)
  useEffect(() => onRunning(state.isRunning), [onRunning, state.isRunning])
  const { file } = current
  return (
    <>
      <div className={styles.how}>
        <p>{t('moving_in.how')}</p>
        <CodeSnippet code={COMMAND} label={t('moving_in.how')} />
      </div>
      {state.isRunning && file ? (
        <div className={styles.progress}>
          <p>{t('moving_in.uploading', { name: file.name })}</p>
          <progress aria-label={t('moving_in.uploading', { name: file.name })} value={file.received} max={file.size} />
          <p className={styles.hint}>
            {t('moving_in.received', { received: formatSize(file.received), size: formatSize(file.size) })}
          </p>
          {state.isInterrupted && <Banner tone="warning">{t('moving_in.interrupted')}</Banner>}
        </div>
      ) : (
        <FileField
          label={file ? t('moving_in.resume', { name: file.name }) : t('moving_in.choose')}
          accept=".sql,.gz,.dump"
          choose={start}
          disabled={state.isRunning}
          hint={t('moving_in.limit', { size: formatSize(current.max_bytes) })}
        />
      )}
      <FormError text={state.error} />
    </>
  )
}

interface UploadState {
  isRunning: boolean
  isInterrupted: boolean
  error?: string
}

const IDLE: UploadState = { isRunning: false, isInterrupted: false }

/** Uploads a file while the page is open, and then starts the check. */
function useUpload(product: ProductId) {
  const client = useQueryClient()
  const [state, setState] = useState(IDLE)
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => () => leaving.current?.abort(), [])
  async function start(file: File | undefined) {
    if (!file) return
    leaving.current = new AbortController()
    const { signal } = leaving.current
    setState({ ...IDLE, isRunning: true })
    try {
      await uploadDump({
        file,
        product,
        signal,
        onProgress: (answer) => showMovingIn(client, answer),
        onInterrupted: (isInterrupted) => setState({ isRunning: true, isInterrupted }),
      })
      await act(client, movingIn.check)
    } catch (error) {
      if (signal.aborted) return
      logError('Dump not uploaded', error)
      setState({ ...IDLE, error: errorText(error) })
    }
  }
  return { state, start }
}
