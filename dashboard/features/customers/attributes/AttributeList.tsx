import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readAttributeValue } from '#contract/customers/attribute-values.ts'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { notify } from '../../../ui/notices.ts'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { keysOf } from '../../conversations/actions/registry.ts'
import { AttributeField } from './AttributeField.tsx'
import styles from './AttributeList.module.css'
import { AttributeValue } from './AttributeValue.tsx'
import { editedText, isUnfit, storedValue } from './value-text.ts'

interface ListProps {
  attributes: AttributeDefinition[]
  metadata: Record<string, unknown> | null
  /** Saves one value; null clears it. Throws what the server refuses. */
  save: (key: string, value: string | null) => Promise<void>
}

/** The attributes of a customer or a conversation, each edited in its place. */
export function AttributeList({ attributes, metadata, save }: ListProps) {
  return (
    <dl className={styles.list}>
      <Each name="attribute" items={attributes} keyOf={({ id }) => id} fallback={() => <Undrawn />}>
        {(attribute) => (
          <Entry
            attribute={attribute}
            stored={storedValue(metadata, attribute.key)}
            save={(value) => save(attribute.key, value)}
          />
        )}
      </Each>
    </dl>
  )
}

interface EntryProps {
  attribute: AttributeDefinition
  stored: unknown
  save: (value: string | null) => Promise<void>
}

function Entry({ attribute, stored, save }: EntryProps) {
  const { t } = useTranslation()
  const [state, setState] = useState<'shown' | 'editing' | 'edited'>('shown')
  const { name, description } = attribute
  return (
    <div className={styles.entry} data-editing={state === 'editing' || undefined}>
      <dt title={description ?? undefined}>{name}</dt>
      <dd>
        {state === 'editing' ? (
          <EntryForm {...{ attribute, stored, save }} close={() => setState('edited')} />
        ) : (
          <>
            <AttributeValue attribute={attribute} stored={stored} />
            <IconButton
              icon="edit"
              label={t('attributes.edit', { name })}
              // The field that had the focus is gone.
              autoFocus={state === 'edited'}
              onClick={() => setState('editing')}
            />
          </>
        )}
      </dd>
    </div>
  )
}

function EntryForm({ attribute, stored, save, close }: EntryProps & { close: () => void }) {
  const { t } = useTranslation()
  const { name } = attribute
  const [text, setText] = useState(() => editedText(attribute, stored))
  const { saving, error, submit, guard } = useSaving(async () => {
    const read = readAttributeValue(attribute, text)
    if (read?.problem) throw new Error(t(`attributes.expected.${attribute.kind}`))
    await save(read === undefined ? null : text)
    close()
    offerUndo()
  })
  /** What did not fit cannot be brought back: no form may enter it. */
  function offerUndo() {
    const title = t('attributes.changed', { name })
    if (isUnfit(attribute, stored)) return void notify({ kind: 'success', key: 'undo attribute', title })
    const before = editedText(attribute, stored)
    const run = () => {
      save(before === '' ? null : before).catch((error) => showError(t('attributes.not_undone', { name }), error))
    }
    notify({
      kind: 'success',
      key: 'undo attribute',
      title,
      action: { label: t('undo'), run, keys: keysOf('undo') },
    })
  }
  return (
    <form
      ref={guard.watch}
      className={styles.form}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <AttributeField
        label={name}
        hideLabel
        autoFocus
        attribute={attribute}
        value={text}
        onChange={setText}
        error={error}
      />
      {isUnfit(attribute, stored) && <p className={styles.none}>{t('attributes.unfit_text')}</p>}
      <div className={styles.buttons}>
        <Button size="small" onClick={close}>
          {t('cancel')}
        </Button>
        <Button size="small" variant="primary" type="submit" loading={saving}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
