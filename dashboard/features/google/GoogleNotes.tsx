import { useTranslation } from 'react-i18next'
import { Block } from '../../ui/EditBlock.tsx'

const NOTES = ['redirect', 'internal', 'testing'] as const

/** What Google demands of an app, which people find out too late otherwise. */
export function GoogleNotes() {
  const { t } = useTranslation()
  return (
    <Block title={t('google.notes.title')}>
      <ul>
        {NOTES.map((note) => (
          <li key={note}>{t(`google.notes.${note}`)}</li>
        ))}
      </ul>
    </Block>
  )
}
