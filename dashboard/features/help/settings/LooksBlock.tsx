import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../platform/http/errors.ts'
import { uploadFile } from '../../../platform/http/upload-request.ts'
import { Button } from '../../../ui/Button.tsx'
import { ColorField } from '../../../ui/ColorField.tsx'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { FileField } from '../../../ui/FileField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { PALETTE } from '../../widget/widget-settings/form.ts'
import type { BlockProps } from './block-props.ts'
import styles from './HelpSettings.module.css'
import { useEditWords } from './useEditWords.ts'

/** Name, colour and logo. */
export function LooksBlock({ center, save }: BlockProps) {
  const { t } = useTranslation()
  const { name, color } = center
  return (
    <EditBlock title={t('help.looks')} labels={useEditWords()} saved={{ name, color }} save={save}>
      {({ fields, change, isEditing }) => (
        <>
          <TextField
            label={t('help.name')}
            maxLength={100}
            disabled={!isEditing}
            value={fields.name}
            onChange={(next) => change({ name: next })}
          />
          {isEditing ? (
            <ColorField
              label={t('help.color')}
              palette={PALETTE}
              labels={{ pick: t('help.pick_color'), hex: t('help.hex'), wrong: t('help.wrong_color') }}
              value={fields.color}
              onChange={(next) => change({ color: next })}
            />
          ) : (
            <p className={styles.line}>
              <span className={styles.swatch} style={{ background: color }} /> {color}
            </p>
          )}
          <Logo center={center} save={save} />
        </>
      )}
    </EditBlock>
  )
}

/** The logo is stored as soon as it is chosen. */
function Logo({ center, save }: BlockProps) {
  const { t } = useTranslation()
  const [isUploading, setUploading] = useState(false)
  async function choose(file: File | undefined) {
    if (!file) return
    setUploading(true)
    try {
      const stored = await uploadFile(file, { progress: () => {}, signal: new AbortController().signal })
      await save({ logo_file_id: stored.id }).catch(() => undefined)
    } catch (error) {
      showError('Logo not uploaded', error)
    }
    setUploading(false)
  }
  return (
    <div className={styles.logo}>
      {center.logo_url && <img src={center.logo_url} alt={t('help.logo')} />}
      <FileField label={t('help.logo')} accept="image/*" disabled={isUploading} choose={(file) => void choose(file)} />
      {center.logo_file_id && (
        <Button size="small" variant="text" onClick={() => void save({ logo_file_id: null }).catch(() => undefined)}>
          {t('help.remove_logo')}
        </Button>
      )}
    </div>
  )
}
