import type { StripeCardElement } from '@stripe/stripe-js'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardProvider } from '../../../platform/environment.ts'
import { errorText, logError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import styles from './CardDialog.module.css'
import { type CardForm, mountCard } from './card-element.ts'
import { postCardSaved } from './card-messages.ts'
import { prepareCard } from './queries.ts'

/** The page inside the frame of the card dialog, with the payment provider's card field. */
export function CardPage() {
  const { t } = useTranslation()
  const { container, form, failure: missing } = useCardForm()
  const [failure, setFailure] = useState<string>()
  const [isSaving, setSaving] = useState(false)

  async function save(event: FormEvent) {
    event.preventDefault()
    if (!form || isSaving) return
    setSaving(true)
    setFailure(undefined)
    try {
      const { setupIntent, error } = await form.stripe.confirmCardSetup(await prepareCard(), {
        payment_method: { card: form.card },
      })
      const id = idOf(setupIntent?.payment_method)
      if (id) postCardSaved(id)
      else setFailure(error?.message || t('billing.card_form.failed'))
    } catch (error) {
      logError('Card not saved', error)
      setFailure(errorText(error))
    }
    setSaving(false)
  }

  return (
    <main>
      <form className={styles.form} onSubmit={save}>
        <h1 className={styles.heading}>{t('billing.card_form.title')}</h1>
        <div ref={container} className={styles.card} />
        <FormError text={failure ?? (missing && t(`billing.card_form.${missing}`))} />
        <p className={styles.quiet}>{t('billing.card_form.text')}</p>
        <div>
          <Button variant="primary" type="submit" loading={isSaving} disabled={!form}>
            {t('billing.card_form.save')}
          </Button>
        </div>
      </form>
    </main>
  )
}

/** Mounts the payment provider's field once its script has loaded. */
function useCardForm() {
  const container = useRef<HTMLDivElement>(null)
  const [form, setForm] = useState<CardForm>()
  const [failure, setFailure] = useState<'not_loaded' | 'not_set_up'>()
  useEffect(() => {
    const provider = cardProvider()
    if (!provider) return setFailure('not_set_up')
    let card: StripeCardElement | undefined
    let isUnmounted = false
    mountCard(provider, () => (isUnmounted ? null : container.current)).then(
      (made) => {
        card = made?.card
        setForm(made)
      },
      (error) => {
        logError('Card form not loaded', error)
        setFailure('not_loaded')
      },
    )
    return () => {
      isUnmounted = true
      card?.destroy()
    }
  }, [])
  return { container, form, failure }
}

function idOf(named: string | { id: string } | null | undefined): string | undefined {
  return typeof named === 'object' ? named?.id : named
}
