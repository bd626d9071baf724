import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { changedFields } from '../../../../platform/forms/changed-fields.ts'
import { errorText, logError, showError } from '../../../../platform/http/errors.ts'
import { ApiError } from '../../../../platform/http/request.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { createFormGuard } from '../../../../ui/form-guard.ts'
import { notify } from '../../../../ui/notices.ts'
import { TextField } from '../../../../ui/TextField.tsx'
import { useMayManageCustomers } from '../../../accounts/accounts/account.ts'
import { CompanyChooser } from '../../companies/CompanyChooser.tsx'
import { deleteCustomer, setBlocked, updateCustomer } from '../queries.ts'
import styles from './CustomerDialog.module.css'

type State = 'view' | 'editing' | 'saving' | 'deleting'

interface DialogProps {
  customer: CustomerProfile
  open: boolean
  close: () => void
  /** Called when the customer was deleted, before it leaves the cache. */
  onDeleted?: () => void
}

/** Shows and edits a customer. */
export function CustomerDialog({ customer, open, close, onDeleted }: DialogProps) {
  const { t } = useTranslation()
  const form = useId()
  const [guard] = useState(createFormGuard)
  const [state, setState] = useState<State>('editing')
  const [opened, setOpened] = useState(() => fieldsOf(customer))
  const [draft, setDraft] = useState(opened)
  const [error, setError] = useState<string>()
  const work = useWork(customer, setState, setError)
  const isEditing = state === 'editing' || state === 'saving'

  function reset() {
    setOpened(fieldsOf(customer))
    setDraft(fieldsOf(customer))
    setError(undefined)
    setState('view')
  }
  async function save(event: FormEvent) {
    event.preventDefault()
    if (await work.save(changedFields(opened, draft))) close()
  }
  const buttons = isEditing ? (
    <>
      <Button
        disabled={state === 'saving'}
        onClick={() => {
          reset()
          close()
        }}
      >
        {t('cancel')}
      </Button>
      <Button variant="primary" type="submit" form={form} loading={state === 'saving'}>
        {t('save')}
      </Button>
    </>
  ) : (
    <Button variant="primary" disabled={state === 'deleting'} onClick={() => setState('editing')}>
      {t('edit')}
    </Button>
  )
  return (
    <Dialog
      title={t('customer.edit')}
      open={open}
      close={close}
      footer={
        <Footer
          customer={customer}
          isDeleting={state === 'deleting'}
          // What was entered is deleted, too.
          remove={() => guard.save(() => work.remove(close, onDeleted))}
        >
          {buttons}
        </Footer>
      }
    >
      <form id={form} ref={guard.watch} className={styles.form} onSubmit={save} noValidate>
        <Fields draft={draft} company={customer.company} change={setDraft} readOnly={!isEditing} />
        <FormError text={error} />
      </form>
    </Dialog>
  )
}

interface FieldsProps {
  draft: Draft
  /** The customer's current company. */
  company: CustomerProfile['company']
  change: (draft: Draft) => void
  readOnly: boolean
}

function Fields({ draft, company, change, readOnly }: FieldsProps) {
  const { t } = useTranslation()
  const text = (field: 'name' | 'email' | 'phone', type: 'text' | 'email' | 'tel') => (
    <TextField
      label={t(`customer.${field}`)}
      type={type}
      dir="auto"
      readOnly={readOnly}
      value={draft[field]}
      onChange={(value) => change({ ...draft, [field]: value })}
    />
  )
  return (
    <>
      {text('name', 'text')}
      {text('email', 'email')}
      {text('phone', 'tel')}
      <CompanyChooser
        disabled={readOnly}
        current={company}
        value={draft.company_id}
        onChange={(company_id) => change({ ...draft, company_id })}
      />
    </>
  )
}

interface FooterProps {
  customer: CustomerProfile
  isDeleting: boolean
  remove: () => Promise<void>
  children: ReactNode
}

function Footer({ customer, isDeleting, remove, children }: FooterProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const mayManage = useMayManageCustomers()
  const isBlocked = !!customer.blocked_at
  const block = () => setBlocked(client, customer.id, !isBlocked).catch((error) => showError('Not blocked', error))
  return (
    <div className={styles.footer}>
      <div>
        {mayManage ? (
          <Confirm question={t('customer.confirm')} yes={t('yes')} no={t('no')} run={remove}>
            <Button variant="text" danger loading={isDeleting}>
              {t('delete')}
            </Button>
          </Confirm>
        ) : (
          <Button variant="text" disabled>
            {t('customers.remove.admins_only')}
          </Button>
        )}
        <Button variant="text" onClick={block}>
          {t(isBlocked ? 'customer.unblock' : 'customer.block')}
        </Button>
      </div>
      <div>{children}</div>
    </div>
  )
}

type Draft = ReturnType<typeof fieldsOf>

function fieldsOf({ name, email, phone, company_id }: CustomerProfile) {
  return { name: name ?? '', email: email ?? '', phone: phone ?? '', company_id }
}

/** Saving and deleting, with a notice of success or failure. */
function useWork(customer: CustomerProfile, setState: (state: State) => void, setError: (text?: string) => void) {
  const { t } = useTranslation()
  const client = useQueryClient()

  async function attempt(state: State, work: () => Promise<void>, failed: string): Promise<boolean> {
    setState(state)
    setError(undefined)
    try {
      await work()
      return true
    } catch (error) {
      logError(failed, error)
      setError(error instanceof ApiError && (error.message || error.errors) ? errorText(error) : failed)
      setState('editing')
      return false
    }
  }
  return {
    async save(changes: Partial<Draft>): Promise<boolean> {
      const saved = await attempt(
        'saving',
        () => updateCustomer(client, customer.id, changes),
        t('customer.update_failed'),
      )
      if (saved) notify({ kind: 'success', title: t('customer.updated'), seconds: 10 })
      return saved
    },
    async remove(close: () => void, before: (() => void) | undefined): Promise<void> {
      const work = () => deleteCustomer(client, customer.id, before)
      if (!(await attempt('deleting', work, t('customer.delete_failed')))) return
      close()
      notify({ kind: 'success', title: t('customer.deleted', { title: customer.title }), seconds: 10 })
    },
  }
}
