import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Block } from '../../../ui/EditBlock.tsx'
import { Select } from '../../../ui/Select.tsx'
import { userSettingsQuery, useSaveSettings } from '../accounts/user-settings.ts'

const SECONDS = [5, 10, 20, 30]
const USUAL = 'usual'

/** How long the user can take back a reply after sending it. */
export function UndoBlock() {
  const { t } = useTranslation()
  const { data: settings } = useQuery(userSettingsQuery)
  const save = useSaveSettings()
  if (!settings) return null
  const options = [
    { value: USUAL, label: t('scheduled.usual') },
    { value: '0', label: t('scheduled.none_seconds') },
    ...SECONDS.map((seconds) => ({ value: `${seconds}`, label: t('scheduled.some_seconds', { seconds }) })),
  ]
  return (
    <Block title={t('scheduled.undo')} text={t('scheduled.undo_text')}>
      <Select
        label={t('scheduled.undo_label')}
        options={options}
        value={`${settings.undo_seconds ?? USUAL}`}
        onChange={(chosen) => save({ undo_seconds: chosen === USUAL ? null : Number(chosen) })}
      />
    </Block>
  )
}
