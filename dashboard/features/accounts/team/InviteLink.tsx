import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { CopyField } from '../../../ui/CopyField.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import { useCopied } from '../accounts/saving.ts'
import { makeInviteLink } from './queries.ts'
import { notifyRefused } from './refused-invitation.ts'

/** Creates an invitation link for one colleague. */
export function InviteLink() {
  const { t } = useTranslation()
  const copied = useCopied()
  const client = useQueryClient()
  const [url, setUrl] = useState('')
  const [making, setMaking] = useState(false)
  async function make() {
    setMaking(true)
    try {
      const made = await makeInviteLink(client)
      setUrl(made)
      copied(await copyText(made))
    } catch (error) {
      notifyRefused(t, error)
    }
    setMaking(false)
  }
  return (
    <>
      <div>
        <Button variant="primary" loading={making} onClick={make}>
          {t('team.make_link')}
        </Button>
      </div>
      {url && <CopyField label={t('team.link')} value={url} copyLabel={t('copy')} copied={copied} />}
    </>
  )
}
