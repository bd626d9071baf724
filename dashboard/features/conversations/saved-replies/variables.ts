/** The variables that saved replies may contain. */
export const VARIABLES = ['customer.name', 'customer.email', 'customer.company', 'agent.name', 'account.name'] as const
export type Variable = (typeof VARIABLES)[number]

export type Values = Record<Variable, string | null | undefined>

/** `{customer.name}`, or with a fallback: `{customer.name|there}`. */
const IN_BRACES = /\{\s*([a-z]+\.[a-z]+)\s*(?:\|([^{}]*))?\}/gi

/**
 * Fills in the variables of a saved reply. Empty values become the fallback, or nothing; unknown names stay as written.
 */
export function fillVariables(text: string, values: Values): string {
  return text.replace(IN_BRACES, (whole, name: string, otherwise: string | undefined) => {
    const variable = name.toLowerCase()
    if (!isVariable(variable)) return whole
    return values[variable]?.trim() || otherwise?.trim() || ''
  })
}

function isVariable(name: string): name is Variable {
  return (VARIABLES as readonly string[]).includes(name)
}
