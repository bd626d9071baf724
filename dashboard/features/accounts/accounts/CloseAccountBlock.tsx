import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { looksLike } from '../../../platform/forms/typed-name.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { clearTokens } from '../../../platform/session/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { closeAccount, useTeam } from './account.ts'

/** Deletes the account with all its data, after an admin has typed its name. */
export function CloseAccountBlock() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Block title={t('closing.title')} text={t('closing.text')}>
      <div>
        <Button danger onClick={() => setOpen(true)}>
          {t('closing.open')}
        </Button>
      </div>
      <LazyMount when={isOpen}>
        <CloseDialog open={isOpen} close={() => setOpen(false)} />
      </LazyMount>
    </Block>
  )
}

function CloseDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { company_name } = useTeam().account
  const [typed, setTyped] = useState('')
  const saving = useSaving(async () => {
    if (!looksLike(typed, company_name)) throw new Error(t('closing.wrong'))
    await closeAccount(company_name)
    clearTokens()
    navigate('/login', { replace: true })
  })
  return (
    <FormDialog
      title={t('closing.title')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('closing.run')}
      danger
      {...saving}
    >
      <p>{t('closing.text')}</p>
      <p>{t('closing.stays')}</p>
      <TextField
        label={t('closing.type', { name: company_name })}
        autoFocus
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
    </FormDialog>
  )
}
