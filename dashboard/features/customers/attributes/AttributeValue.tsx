import { useTranslation } from 'react-i18next'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import styles from './AttributeList.module.css'
import { isUnfit, valueText } from './value-text.ts'

interface ValueProps {
  attribute: AttributeDefinition
  stored: unknown
}

/** A value of an attribute, marked if it does not fit. */
export function AttributeValue({ attribute, stored }: ValueProps) {
  const { t } = useTranslation()
  const text = valueText(t, attribute, stored)
  const isOdd = isUnfit(attribute, stored)
  if (text === '') return <span className={styles.none}>–</span>
  return (
    <span className={styles.value} dir="auto">
      {attribute.kind === 'link' && !isOdd ? (
        <a href={text} target="_blank" rel="noopener noreferrer">
          <Truncate text={text} lines={2} />
        </a>
      ) : (
        <Truncate text={text} lines={4} />
      )}
      {isOdd && (
        <span title={t('attributes.unfit_text')}>
          <Pill tone="warning">{t('attributes.unfit')}</Pill>
        </span>
      )}
    </span>
  )
}
