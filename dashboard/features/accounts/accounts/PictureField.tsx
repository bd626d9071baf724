import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText, logError } from '../../../platform/http/errors.ts'
import { uploadFile } from '../../../platform/http/upload-request.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './PictureField.module.css'

interface PictureFieldProps {
  label: string
  disabled: boolean
  /** The image's URL, or an empty string. */
  value: string
  onChange: (url: string) => void
}

/** An image, uploaded or given by its URL. */
export function PictureField({ label, disabled, value, onChange }: PictureFieldProps) {
  const { t } = useTranslation()
  const chooser = useRef<HTMLInputElement>(null)
  const [isUploading, setUploading] = useState(false)
  const [error, setError] = useState<string>()
  async function upload(file: File | undefined) {
    if (!file) return
    setUploading(true)
    setError(undefined)
    try {
      const { content_type, file_url } = await uploadFile(file, {
        progress: () => undefined,
        signal: new AbortController().signal,
      })
      if (content_type.startsWith('image/')) onChange(file_url)
      else setError(t('account.no_picture'))
    } catch (refusal) {
      logError('Picture not uploaded', refusal)
      setError(errorText(refusal))
    }
    setUploading(false)
  }
  return (
    <div className={styles.picture}>
      <TextField
        label={label}
        disabled={disabled}
        inputMode="url"
        placeholder={disabled ? '' : 'https://'}
        value={value}
        onChange={onChange}
        error={error}
      />
      {!disabled && (
        <>
          <input
            ref={chooser}
            type="file"
            accept="image/*"
            hidden
            aria-label={label}
            onChange={({ target }) => {
              void upload(target.files?.[0])
              target.value = ''
            }}
          />
          <div className={styles.buttons}>
            <Button size="small" loading={isUploading} onClick={() => chooser.current?.click()}>
              {t('account.choose_picture')}
            </Button>
            {value && (
              <Button size="small" variant="text" onClick={() => onChange('')}>
                {t('account.remove_picture')}
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  )
}
