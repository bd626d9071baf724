/** What can stand in braces in a saved reply. */
export const VARIABLES = ['customer.name', 'customer.email', 'customer.company', 'agent.name', 'account.name'] as const
export type Variable = (typeof VARIABLES)[number]

export type Values = Record<Variable, string | null | undefined>

/** `{customer.name}`, or with what to say when it is not known: `{customer.name|there}`. */
const IN_BRACES = /\{\s*([a-z]+\.[a-z]+)\s*(?:\|([^{}]*))?\}/gi

/**
 * Fills in a saved reply. What is known to be empty becomes what stands behind the line, or nothing; names that are no
 * variable stay as they were written.
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
