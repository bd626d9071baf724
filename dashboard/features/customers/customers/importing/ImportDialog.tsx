import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CustomerImport,
  IMPORT_ENCODINGS,
  IMPORT_FIELDS,
  type ImportEncoding,
  type ImportField,
} from '#contract/customers/customer-imports.ts'
import { errorText, logError } from '../../../../platform/http/errors.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Each } from '../../../../ui/Each.tsx'
import { FileField } from '../../../../ui/FileField.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { customerKeys } from '../keys.ts'
import styles from './ImportDialog.module.css'
import { importQuery, startImport, uploadImport } from './importing.ts'

/** Imports customers from a file: choose it, map its columns, watch the progress, and see skipped rows. */
export function ImportDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const [upload, setUpload] = useState<Upload>()
  function leave() {
    close()
    setUpload(undefined)
  }
  return (
    <Dialog title={t('imports.title')} open={open} close={leave} size={720}>
      {upload ? (
        <Uploaded
          key={upload.uploaded.id}
          {...upload}
          replace={setUpload}
          again={() => setUpload(undefined)}
          leave={leave}
        />
      ) : (
        <Choose done={setUpload} />
      )}
    </Dialog>
  )
}

/** A file, and what the server has read in it. */
interface Upload {
  file: File
  uploaded: CustomerImport
}

function Choose({ done }: { done: (upload: Upload) => void }) {
  const { t } = useTranslation()
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<string>()
  async function uploadFile(file: File | undefined) {
    if (!file) return
    setReading(true)
    setError(undefined)
    try {
      done({ file, uploaded: await uploadImport(file) })
    } catch (refusal) {
      logError('File not taken', refusal)
      setError(errorText(refusal))
      setReading(false)
    }
  }
  return (
    <div className={styles.steps}>
      <p>{t('imports.text')}</p>
      <FileField
        label={t(isReading ? 'imports.reading' : 'imports.choose')}
        accept=".csv,text/csv"
        choose={uploadFile}
        disabled={isReading}
      />
      <FormError text={error} />
    </div>
  )
}

interface MappingProps extends Upload {
  replace: (upload: Upload) => void
  again: () => void
}

interface UploadedProps extends MappingProps {
  leave: () => void
}

function Uploaded({ leave, ...props }: UploadedProps) {
  const { uploaded } = props
  const { data = uploaded } = useQuery({ ...importQuery(uploaded.id), initialData: uploaded })
  if (data.status === 'waiting') return <Mapping {...props} uploaded={data} />
  return data.status === 'running' ? <Running running={data} /> : <Outcome done={data} leave={leave} />
}

const ENCODINGS = IMPORT_ENCODINGS.map((value) => ({ value, label: value }))

function Mapping({ file, uploaded, replace, again }: MappingProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [mapping, setMapping] = useState(uploaded.mapping)
  const [isStarting, setStarting] = useState(false)
  const [error, setError] = useState<string>()
  async function attempt(work: () => Promise<void>) {
    setStarting(true)
    setError(undefined)
    try {
      await work()
    } catch (refusal) {
      logError('Import not started', refusal)
      setError(errorText(refusal))
      setStarting(false)
    }
  }
  const start = () => attempt(() => startImport(client, uploaded.id, mapping))
  const decode = (encoding: ImportEncoding) =>
    attempt(async () => replace({ file, uploaded: await uploadImport(file, encoding) }))
  const map = (at: number, field: string) =>
    setMapping(mapping.map((current, index) => (index === at ? ((field || null) as ImportField | null) : current)))
  return (
    <div className={styles.steps}>
      <p>{t('imports.rows', { count: uploaded.rows_total, name: uploaded.filename })}</p>
      {uploaded.encoding && (
        <Select
          label={t('imports.encoding')}
          hint={t('imports.encoding_hint')}
          options={ENCODINGS}
          value={uploaded.encoding}
          onChange={decode}
          disabled={isStarting}
        />
      )}
      <ul className={styles.columns} aria-label={t('imports.columns')}>
        <Each name="column" items={uploaded.columns} keyOf={(_, at) => at}>
          {(column, at) => (
            <li>
              <Column
                name={column}
                example={uploaded.preview.map((row) => row[at]).find(Boolean)}
                field={mapping[at] ?? ''}
                choose={(field) => map(at, field)}
              />
            </li>
          )}
        </Each>
      </ul>
      <FormError text={error} />
      <div className={styles.buttons}>
        <Button onClick={again}>{t('imports.other')}</Button>
        <Button variant="primary" loading={isStarting} onClick={start}>
          {t('imports.start')}
        </Button>
      </div>
    </div>
  )
}

interface ColumnProps {
  name: string
  example: string | undefined
  field: string
  choose: (field: string) => void
}

function Column({ name, example, field, choose }: ColumnProps) {
  const { t } = useTranslation()
  return (
    <label className={styles.column}>
      <span className={styles.words}>
        <bdi className={styles.name}>{name}</bdi>
        <bdi className={styles.example}>{example ?? '–'}</bdi>
      </span>
      <select value={field} onChange={({ target }) => choose(target.value)}>
        <option value="">{t('imports.leave_out')}</option>
        {IMPORT_FIELDS.map((importField) => (
          <option key={importField} value={importField}>
            {t(`imports.fields.${importField}`)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Running({ running }: { running: CustomerImport }) {
  const { t } = useTranslation()
  const { rows_done, rows_total } = running
  return (
    <div className={styles.steps}>
      <p>{t('imports.running', { done: rows_done, total: rows_total })}</p>
      <progress className={styles.progress} aria-label={t('imports.title')} value={rows_done} max={rows_total || 1} />
      <p className={styles.hint}>{t('imports.may_leave')}</p>
    </div>
  )
}

function Outcome({ done, leave }: { done: CustomerImport; leave: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  useEffect(() => void client.invalidateQueries({ queryKey: customerKeys.lists }), [client])
  return (
    <div className={styles.steps}>
      <p role="status">
        {t('imports.done', { created: done.created_count, updated: done.updated_count, failed: done.failed_count })}
      </p>
      {done.errors.length > 0 && (
        <ul className={styles.errors} aria-label={t('imports.errors')}>
          <Each name="error" items={done.errors} keyOf={({ row }) => row}>
            {({ row, message }) => <li>{t('imports.error', { row, message })}</li>}
          </Each>
        </ul>
      )}
      <div className={styles.buttons}>
        <Button variant="primary" onClick={leave}>
          {t('close')}
        </Button>
      </div>
    </div>
  )
}
