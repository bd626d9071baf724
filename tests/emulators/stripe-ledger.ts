import {
  type Card,
  type Customer,
  type Fields,
  type Invoice,
  makeCoupon,
  makeInvoice,
  makeItem,
  makePrice,
  makeProduct,
  makeSubscription,
  newId,
  now,
  type Price,
  renewPeriod,
  type Subscription,
} from './stripe-objects.ts'

/** A refusal in the shape of Stripe's errors. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly error: Fields

  constructor(status: number, error: Fields) {
    super(String(error.message))
    this.status = status
    this.error = error
  }
}

const DECLINED = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }
const CONSENT = {
  type: 'card_error',
  code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

/** Payments, their times, and the events about them. */
export class Ledger {
  readonly customers = new Map<string, Customer>()
  readonly cards = new Map<string, Card>()
  readonly subscriptions = new Map<string, Subscription>()
  readonly invoices = new Map<string, Invoice>()
  readonly intents = new Map<string, Fields>()
  readonly products = [
    makeProduct('prod_starter', 'starter', 'Starter'),
    makeProduct('prod_lite', 'lite', 'Lite'),
    makeProduct('prod_team', 'team', 'Team'),
    makeProduct('prod_eu_lite', 'eu-lite', 'Lite'),
  ]
  readonly prices: Price[] = [
    makePrice('prod_starter', 4_900),
    makePrice('prod_lite', 9_900),
    makePrice('prod_team', 24_900),
    makePrice('prod_eu_lite', 9_900),
  ]
  /** Successful payments. */
  readonly charges: { customer: string; amount: number }[] = []
  /** Events in the order in which they happened; a test decides when they are sent. */
  readonly events: Fields[] = []
  readonly url: () => string

  constructor(url: () => string) {
    this.url = url
  }

  record(type: string, object: Fields): void {
    this.events.push({
      id: newId('evt'),
      object: 'event',
      type,
      created: now(),
      data: { object: structuredClone(object) },
    })
  }

  subscribe(requested: Fields): Subscription {
    const customer = this.customer(String(requested.customer))
    const prices = (requested.items as { price: string }[]).map(({ price }) => this.price(price))
    const subscription = makeSubscription(customer.id, prices, requested)
    this.subscriptions.set(subscription.id, subscription)
    if (subscription.status === 'active') this.charge(subscription, 'incomplete')
    this.record('customer.subscription.created', subscription)
    return subscription
  }

  change(id: string, { items }: Fields): Subscription {
    const subscription = this.subscription(id)
    for (const requested of (items ?? []) as { id?: string; price?: string; deleted?: string }[]) {
      const data = subscription.items.data
      const own = data.find((item) => item.id === requested.id)
      if (requested.deleted === 'true') subscription.items.data = data.filter((item) => item !== own)
      else if (own) own.price = this.price(requested.price!)
      else data.push(makeItem(this.price(requested.price!), data[0]!.current_period_end))
    }
    this.record('customer.subscription.updated', subscription)
    return subscription
  }

  cancel(id: string, reason = 'cancellation_requested'): Subscription {
    const subscription = this.subscription(id)
    if (subscription.status === 'canceled') {
      throw new StripeRefusal(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such subscription: '${id}'`,
      })
    }
    Object.assign(subscription, { status: 'canceled', canceled_at: now(), cancellation_details: { reason } })
    this.record('customer.subscription.deleted', subscription)
    return subscription
  }

  /** Begins the next period, including the first after a trial, and charges it. */
  renew(id: string): Subscription {
    const subscription = this.subscription(id)
    if (subscription.trial_end) subscription.trial_end = Math.min(subscription.trial_end, now())
    renewPeriod(subscription)
    this.charge(subscription, 'past_due')
    this.record('customer.subscription.updated', subscription)
    return subscription
  }

  discount(id: string, off: Parameters<typeof makeCoupon>[0]): void {
    const source = { type: 'coupon', coupon: makeCoupon(off) }
    const subscription = this.subscription(id)
    subscription.discounts = [{ id: newId('di'), object: 'discount', source }]
    this.record('customer.subscription.updated', subscription)
  }

  /** Pays the open invoice with one of the customer's cards. */
  pay(id: string, with_card?: string): Invoice {
    const invoice = this.invoices.get(id)
    if (!invoice) throw missing('invoice', id)
    const card = this.cards.get(
      with_card ?? this.customer(invoice.customer).invoice_settings.default_payment_method ?? '',
    )
    if (card?.behaviour === 'fails when charged') throw new StripeRefusal(402, DECLINED)
    if (card?.behaviour === 'asks the bank' && !card.consented) throw new StripeRefusal(402, CONSENT)
    if (!card) throw new StripeRefusal(400, { type: 'invalid_request_error', message: 'This customer has no card.' })
    if (invoice.status !== 'paid') this.charges.push({ customer: invoice.customer, amount: invoice.total })
    invoice.status = 'paid'
    const subscription = this.subscription(invoice.subscription)
    if (subscription.status !== 'canceled') subscription.status = 'active'
    this.record('invoice.paid', invoice)
    this.record('customer.subscription.updated', subscription)
    return invoice
  }

  private charge(subscription: Subscription, otherwise: string): void {
    const total = subscription.items.data.reduce((sum, { price }) => sum + price.unit_amount, 0)
    const invoice = makeInvoice(subscription, total, this.invoices.size + 1, this.url())
    this.invoices.set(invoice.id, invoice)
    subscription.latest_invoice = invoice.id
    try {
      this.pay(invoice.id)
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      subscription.status = otherwise
      this.record(
        error.error.code === 'authentication_required' ? 'invoice.payment_action_required' : 'invoice.payment_failed',
        invoice,
      )
    }
  }

  customer(id: string): Customer {
    const customer = this.customers.get(id)
    if (!customer) throw missing('customer', id)
    return customer
  }

  card(id: string): Card {
    const card = this.cards.get(id)
    if (!card) throw missing('PaymentMethod', id)
    return card
  }

  subscription(id: string): Subscription {
    const subscription = this.subscriptions.get(id)
    if (!subscription) throw missing('subscription', id)
    return subscription
  }

  private price(id: string): Price {
    const match = this.prices.find((price) => price.id === id)
    if (!match) throw missing('price', id)
    return match
  }
}

function missing(what: string, id: string): StripeRefusal {
  return new StripeRefusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
  })
}
