import type { Discount, Price, Subscription } from '#contract/accounts/billing.ts'
import { formatNumber } from '../../../platform/formats.ts'

// What a subscription costs, and when it is charged next. Amounts are cents of a US dollar.

/**
 * The monthly total of a subscription.
 * @throws Error for a price in another currency or for another interval
 */
export function monthlyTotal(prices: Price[]): number {
  return prices.reduce((total, { currency, interval, interval_count, unit_amount }) => {
    if (currency !== 'usd') throw new Error(`A price in ${currency} cannot be shown.`)
    if (interval !== 'month' || interval_count !== 1) throw new Error('A price that is not monthly cannot be shown.')
    return total + (unit_amount ?? 0)
  }, 0)
}

/**
 * The amount that a discount takes off the total.
 * @throws Error for one that has expired, or is in another currency
 */
export function discountOn(total: number, { valid, currency, amount_off, percent_off }: Discount): number {
  if (!valid) throw new Error('The discount is not valid any more.')
  if (currency !== null && currency !== 'usd') throw new Error(`A discount in ${currency} cannot be shown.`)
  if (amount_off) return Math.min(amount_off, total)
  return Math.round((total * (percent_off ?? 0)) / 100)
}

/** The price of the next month; undefined where it cannot be calculated. */
export function costOf({ prices, discount }: Pick<Subscription, 'prices' | 'discount'>): number | undefined {
  try {
    const total = monthlyTotal(prices)
    return total - (discount?.valid ? discountOn(total, discount) : 0)
  } catch (error) {
    console.error('Price not shown', error)
    return undefined
  }
}

/** The next billing date: the end of a running trial, otherwise one month after the current period began. */
export function nextBillingDate(
  { trial_end, current_period_start }: Pick<Subscription, 'trial_end' | 'current_period_start'>,
  now: Date,
): Date {
  if (trial_end && trial_end * 1000 > now.getTime()) return new Date(trial_end * 1000)
  return oneMonthAfter(new Date(current_period_start * 1000))
}

/** The same day of the next month, or its last day if it is shorter. */
function oneMonthAfter(start: Date): Date {
  const next = new Date(start)
  next.setUTCMonth(start.getUTCMonth() + 1)
  if (next.getUTCDate() !== start.getUTCDate()) next.setUTCDate(0)
  return next
}

/** Formats cents for display. */
export function formatMoney(cents: number, currency = 'usd'): string {
  const whole = cents % 100 === 0
  return formatNumber(cents / 100, {
    style: 'currency',
    currency,
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  })
}

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** The brand name in its own spelling. */
export function brandName(brand: string): string {
  return BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)
}
