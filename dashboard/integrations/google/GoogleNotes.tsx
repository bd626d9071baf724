import { useTranslation } from 'react-i18next'
import { Block } from '../../ui/EditBlock.tsx'

const NOTES = ['redirect', 'internal', 'testing'] as const

/** Google's requirements for apps, which people otherwise find out too late. */
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
