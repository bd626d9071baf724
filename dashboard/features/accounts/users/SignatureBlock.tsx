import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { useEditWords } from '../accounts/saving.ts'
import { userSettingsQuery, useSaveSettings } from '../accounts/user-settings.ts'

/** The signature below replies by email. */
export function SignatureBlock() {
  const { t } = useTranslation()
  const { data: settings } = useQuery(userSettingsQuery)
  const save = useSaveSettings()
  const labels = useEditWords()
  if (!settings) return null
  return (
    <EditBlock
      title={t('profile.signature')}
      text={t('profile.signature_text')}
      labels={labels}
      saved={{ mail_signature: settings.mail_signature ?? '' }}
      save={({ mail_signature }) => save({ mail_signature: mail_signature.trim() || null })}
    >
      {({ fields, change, isEditing }) => (
        <TextArea
          label={t('profile.signature')}
          rows={3}
          disabled={!isEditing}
          value={fields.mail_signature}
          onChange={(mail_signature) => change({ mail_signature })}
        />
      )}
    </EditBlock>
  )
}
