import type Stripe from 'stripe'
import { type Context, perServer } from '../../../context.ts'
import { Refusal, TooMany } from '../../../errors.ts'

/** The provider's package is large, so it is loaded on the first call. */
const openClient = perServer(async ({ config }): Promise<Stripe> => {
  const { default: StripeClient } = await import('stripe')
  const { hostname, port, protocol } = new URL(config.stripeApiUrl)
  return new StripeClient(config.stripeSecretKey!, {
    host: hostname,
    ...(port && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
    appInfo: { name: 'Parley', version: config.version },
  })
})

const TIMEOUT_MS = 8_000

/**
 * A Stripe client with the operator's key.
 * @throws Refusal if there is no key
 */
export function stripeOf(context: Context): Promise<Stripe> {
  if (!context.config.stripeSecretKey) {
    throw new Refusal(
      503,
      'Payment is not set up on this server. Its operator has to set STRIPE_SECRET_KEY, STRIPE_PUBLIC_KEY and STRIPE_WEBHOOK_SECRET.',
      'payment_not_set_up',
    )
  }
  return openClient(context)
}

/** An error of Stripe's package. */
export type StripeFailure = Stripe.errors.StripeError

/** Whether an error comes from Stripe's package. */
export function isStripeFailure(error: unknown): error is StripeFailure {
  return error instanceof Error && 'rawType' in error && /^Stripe/.test(Reflect.get(error, 'type') as string)
}

/** Whether a call has certainly ended: Stripe answered, possibly with a refusal. */
export function isAnswered({ statusCode, type }: StripeFailure): boolean {
  return statusCode !== undefined && type !== 'StripeIdempotencyError'
}

/** Runs calls to Stripe and turns errors into sentences for people. */
export async function refusing<Result>({ log }: Pick<Context, 'log'>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isStripeFailure(error)) throw error
    log.warn(
      { type: error.type, code: error.code, status: error.statusCode, request: error.requestId },
      'Stripe refused a request',
    )
    throw refusalOf(error)
  }
}

const BUSY_SECONDS = 10

/** The provider's own message for problems that people can solve, mostly with a card. */
function refusalOf(error: StripeFailure): Refusal {
  const { type, statusCode = 503, message, code } = error
  if (type === 'StripeRateLimitError') return new TooMany(BUSY_SECONDS)
  if (type === 'StripeIdempotencyError') {
    return new Refusal(
      409,
      'Somebody else is changing the subscription right now. Reload the page and try again.',
      'under_way',
    )
  }
  if (type === 'StripeCardError') return new Refusal(402, message, code)
  if (type === 'StripeInvalidRequestError') return new Refusal(statusCode, message, code)
  if (type === 'StripeAuthenticationError' || type === 'StripePermissionError') {
    return new Refusal(
      503,
      'The payment provider does not accept the API key of this server. Contact its operator.',
      'payment_not_set_up',
    )
  }
  return new Refusal(
    503,
    'The payment provider does not respond. Try again in a minute: nothing is charged twice.',
    'payment_provider_down',
  )
}
