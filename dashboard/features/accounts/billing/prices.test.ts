import { describe, expect, it, vi } from 'vitest'
import type { Discount, Price } from '#contract/accounts/billing.ts'
import { brandName, costOf, discountOn, formatMoney, monthlyTotal, nextBillingDate } from './prices.ts'

const price = (overrides: Partial<Price>) =>
  ({ currency: 'usd', interval: 'month', interval_count: 1, ...overrides }) as Price
const discount = (overrides: Partial<Discount>) =>
  ({ valid: true, currency: null, amount_off: null, percent_off: null, ...overrides }) as Discount

describe('what a subscription costs', () => {
  it('is the sum of its prices, which must be monthly and in US dollars', () => {
    expect(monthlyTotal([price({ unit_amount: 9900 }), price({ unit_amount: 100 })])).toBe(10_000)
    expect(() => monthlyTotal([price({ currency: 'eur' })])).toThrow('eur')
    expect(() => monthlyTotal([price({ interval: 'year' })])).toThrow('monthly')
    expect(() => monthlyTotal([price({ interval_count: 3 })])).toThrow('monthly')
  })

  it('is reduced by a discount’s amount, or by its percentage', () => {
    expect(discountOn(9900, discount({ amount_off: 1000, currency: 'usd', percent_off: 50 }))).toBe(1000)
    expect(discountOn(9900, discount({ percent_off: 25 }))).toBe(2475)
    expect(discountOn(900, discount({ amount_off: 1000, currency: 'usd' }))).toBe(900)
    expect(() => discountOn(9900, discount({ valid: false }))).toThrow('valid')
    expect(() => discountOn(9900, discount({ amount_off: 1, currency: 'eur' }))).toThrow('eur')
  })

  it('is not shown if it is unknown', () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(costOf({ prices: [price({ currency: 'eur' })], discount: null })).toBeUndefined()
    expect(logged).toHaveBeenCalled()
    logged.mockRestore()
    expect(costOf({ prices: [price({ unit_amount: 9900 })], discount: discount({ percent_off: 10 }) })).toBe(8910)
    expect(
      costOf({ prices: [price({ unit_amount: 9900 })], discount: discount({ valid: false, percent_off: 10 }) }),
    ).toBe(9900)
  })
})

describe('the next billing date', () => {
  const at = (iso: string) => Date.parse(iso) / 1000
  const next = (start: string, trial_end: string | null, now: string) =>
    nextBillingDate(
      { current_period_start: at(start), trial_end: trial_end && at(trial_end) ? at(trial_end) : null },
      new Date(now),
    )
      .toISOString()
      .slice(0, 10)

  it('is the end of a running trial, and then one month after the period started', () => {
    expect(next('2026-11-01T10:00Z', '2026-11-15T10:00Z', '2026-11-05T00:00Z')).toBe('2026-11-15')
    expect(next('2026-11-15T10:00Z', '2026-11-15T10:00Z', '2026-11-20T00:00Z')).toBe('2026-12-15')
    expect(next('2026-11-22T10:00Z', null, '2026-11-22T12:00Z')).toBe('2026-12-22')
  })

  it('is the last day of a shorter month', () => {
    expect(next('2026-01-31T10:00Z', null, '2026-02-01T00:00Z')).toBe('2026-02-28')
  })
})

it('writes money and brands as people do', () => {
  expect([formatMoney(9900), formatMoney(8910)]).toEqual(['$99', '$89.10'])
  expect([brandName('visa'), brandName('amex'), brandName('unheard')]).toEqual(['Visa', 'American Express', 'Unheard'])
})
