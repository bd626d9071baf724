import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AttributeSubject } from '#contract/customers/attributes.ts'
import styles from './AttributeList.module.css'
import { AttributeList } from './AttributeList.tsx'
import { attributesQuery } from './queries.ts'

interface SubjectProps {
  subject: AttributeSubject
  metadata: Record<string, unknown> | null
  save: (key: string, value: string | null) => Promise<void>
}

/** The section with the attributes of a customer or a conversation. Renders nothing where none are defined. */
export function SubjectAttributes({ subject, metadata, save }: SubjectProps) {
  const { t } = useTranslation()
  const { data = [] } = useQuery(attributesQuery)
  const own = data.filter((attribute) => attribute.subject === subject)
  if (own.length === 0) return null
  return (
    <section className={styles.section} aria-label={t(`attributes.of.${subject}`)}>
      <h3>{t('attributes.title')}</h3>
      <AttributeList attributes={own} metadata={metadata} save={save} />
    </section>
  )
}
