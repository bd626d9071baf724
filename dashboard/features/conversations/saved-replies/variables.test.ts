import { describe, expect, it } from 'vitest'
import { fillVariables } from './variables.ts'

const values = {
  'customer.name': 'Carla',
  'customer.email': null,
  'customer.company': '',
  'agent.name': 'Ada',
  'account.name': 'Acme',
}

describe('a saved reply', () => {
  it('is filled in with known values', () => {
    expect(fillVariables('Hi {customer.name}, this is {agent.name} of {account.name}.', values)).toBe(
      'Hi Carla, this is Ada of Acme.',
    )
  })

  it('uses the default after the bar for an unknown value, or nothing', () => {
    expect(fillVariables('{customer.company|your company} {customer.name|there} [{customer.email}]', values)).toBe(
      'your company Carla []',
    )
  })

  it('keeps braces that are no variable as they were written', () => {
    const text = '{customer.age} {name} { "json": 1 } {}'
    expect(fillVariables(text, values)).toBe(text)
  })

  it('does not replace variables inside inserted values', () => {
    expect(fillVariables('{customer.name}', { ...values, 'customer.name': '{agent.name}' })).toBe('{agent.name}')
  })
})
