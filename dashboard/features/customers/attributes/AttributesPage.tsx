import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  ATTRIBUTE_SUBJECTS,
  type AttributeDefinition,
  type AttributeSubject,
  SUGGESTED_FROM,
} from '#contract/customers/attributes.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { Table } from '../../../ui/Table.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { AttributeDialog } from './AttributeDialog.tsx'
import { AttributeRow } from './AttributeRow.tsx'
import styles from './AttributesPage.module.css'
import { attributesQuery, suggestionsQuery } from './queries.ts'

/** What a new attribute begins with. */
export type Beginning = Partial<Pick<AttributeDefinition, 'subject' | 'key' | 'name' | 'kind'>>

/** Names and kinds for what is stored in the metadata of customers and conversations. */
export function AttributesPage() {
  const { t } = useTranslation()
  const creating = useDialog<Beginning>()
  const editing = useDialog<AttributeDefinition>()
  return (
    <AdminsOnly>
      <Page
        title={t('attributes.title')}
        text={t('attribute_definitions.text')}
        actions={
          <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={() => creating.open({})}>
            {t('attribute_definitions.new')}
          </Button>
        }
      >
        <Attributes edit={editing.open} />
        {ATTRIBUTE_SUBJECTS.map((subject) => (
          <Suggestions key={subject} subject={subject} choose={creating.open} />
        ))}
        {creating.item && (
          <AttributeDialog
            key={creating.turn}
            beginning={creating.item}
            open={creating.isOpen}
            close={creating.close}
          />
        )}
        {editing.item && (
          <AttributeDialog key={editing.turn} attribute={editing.item} open={editing.isOpen} close={editing.close} />
        )}
      </Page>
    </AdminsOnly>
  )
}

function Attributes({ edit }: { edit: (attribute: AttributeDefinition) => void }) {
  const { t } = useTranslation()
  const query = useQuery(attributesQuery)
  if (!query.data) return <QueryView query={query} failed={t('attribute_definitions.failed')} />
  if (query.data.length === 0)
    return (
      <EmptyState drawing="talk" title={t('attribute_definitions.none')} text={t('attribute_definitions.none_text')} />
    )
  const columns = [
    t('attribute_definitions.name'),
    t('attribute_definitions.kind'),
    t('attribute_definitions.actions'),
  ] as const
  return ATTRIBUTE_SUBJECTS.map((subject) => {
    const own = query.data.filter((attribute) => attribute.subject === subject)
    const title = t(`attribute_definitions.subjects.${subject}`)
    return (
      own.length > 0 && (
        <section key={subject} className={styles.section} aria-label={title}>
          <h2>{title}</h2>
          <Table label={title} columns={columns}>
            <Each name="attribute" items={own} keyOf={({ id }) => id}>
              {(attribute, at) => <AttributeRow attribute={attribute} at={at} all={own} edit={() => edit(attribute)} />}
            </Each>
          </Table>
        </section>
      )
    )
  })
}

interface SuggestionsProps {
  subject: AttributeSubject
  choose: (beginning: Beginning) => void
}

/** Keys that are already used. Renders nothing without any, or if they cannot be loaded: the page does not need them. */
function Suggestions({ subject, choose }: SuggestionsProps) {
  const { t } = useTranslation()
  const { data = [] } = useQuery(suggestionsQuery(subject))
  if (data.length === 0) return null
  const title = `${t('attribute_definitions.suggested')}: ${t(`attribute_definitions.subjects.${subject}`)}`
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      <p className={styles.quiet}>{t('attribute_definitions.suggested_text', { count: SUGGESTED_FROM })}</p>
      <ul className={styles.suggestions}>
        <Each name="suggestion" items={data} keyOf={({ key }) => key} fallback={() => <Undrawn />}>
          {({ key, kind, count }) => (
            <li>
              <Button
                size="small"
                aria-label={t('attribute_definitions.take', { name: key })}
                onClick={() => choose({ subject, key, kind, name: nameOf(key) })}
              >
                {key}
              </Button>
              <span className={styles.quiet}>
                {t(`attribute_definitions.kinds.${kind}`)} · {t('attribute_definitions.used', { count })}
              </span>
            </li>
          )}
        </Each>
      </ul>
    </section>
  )
}

/** `renewal_date` is called `Renewal date`. */
function nameOf(key: string): string {
  const text = key.replace(/[_-]+/g, ' ').trim() || key
  return text.charAt(0).toUpperCase() + text.slice(1)
}
