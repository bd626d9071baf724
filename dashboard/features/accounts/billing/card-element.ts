import type { Stripe, StripeCardElement, StripeConstructor } from '@stripe/stripe-js'

/** The payment provider's client and its card field. */
export interface CardForm {
  stripe: Stripe
  card: StripeCardElement
}

/** Loads the payment provider's script and mounts its field; undefined if the element is gone by then. */
export async function mountCard(
  { script, key }: { script: string; key: string },
  findContainer: () => HTMLElement | null,
): Promise<CardForm | undefined> {
  const open = await loadScript(script)
  const container = findContainer()
  if (!container) return undefined
  const stripe = open(key)
  const card = stripe.elements().create('card', { style: styleOf(container) })
  card.mount(container)
  return { stripe, card }
}

let loading: Promise<StripeConstructor> | undefined

/** Loads the script once. After a failure the next call tries again. */
function loadScript(src: string): Promise<StripeConstructor> {
  loading ??= new Promise<StripeConstructor>((resolve, reject) => {
    const element = document.createElement('script')
    element.src = src
    element.onload = () => {
      const { Stripe } = globalThis as { Stripe?: StripeConstructor }
      if (Stripe) resolve(Stripe)
      else reject(new Error('The script of the payment provider did nothing.'))
    }
    element.onerror = () => reject(new Error('The script of the payment provider was not loaded.'))
    document.head.append(element)
  }).catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Our colors, passed on because the field is in the provider's frame and cannot read our style sheet. */
function styleOf(container: HTMLElement) {
  const read = (name: string) => getComputedStyle(container).getPropertyValue(name).trim()
  return {
    base: { color: read('--ink-strong'), fontSize: '16px', '::placeholder': { color: read('--ink-quiet') } },
    invalid: { color: read('--danger-ink') },
  }
}
