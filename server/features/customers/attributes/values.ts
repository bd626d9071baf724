import { readAttributeValue } from '#contract/customers/attribute-values.ts'
import type { AttributeSubject, AttributeValues } from '#contract/customers/attributes.ts'
import { METADATA_LIMIT } from '#contract/wire.ts'
import { Invalid } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { listAttributes } from './definitions.ts'

type Metadata = Record<string, unknown>

/**
 * The metadata of a locked customer or conversation after some attributes were set; keys that are not named stay, so two
 * people who set different attributes at once both win.
 * @throws Invalid for a key that is no attribute, a value that does not fit, and metadata that would be too large
 */
export async function setAttributes(
  db: Db,
  account_id: string,
  subject: AttributeSubject,
  metadata: Metadata,
  values: AttributeValues,
): Promise<Metadata> {
  const definitions = new Map(
    (await listAttributes(db, account_id, subject)).map((attribute) => [attribute.key, attribute]),
  )
  // A map, because keys are data, and some names are not harmless as fields of an object.
  const merged = new Map(Object.entries(metadata))
  const errors: string[] = []
  for (const [key, input] of Object.entries(values)) {
    const definition = definitions.get(key)
    if (!definition) errors.push(`${key}: there is no such attribute`)
    else {
      const read = readAttributeValue(definition, input)
      if (read?.problem) errors.push(`${definition.name} ${read.problem}`)
      else if (read) merged.set(key, read.value)
      else merged.delete(key)
    }
  }
  if (errors.length > 0) throw new Invalid({ attributes: errors })
  const next = Object.fromEntries(merged)
  if (JSON.stringify(next).length > METADATA_LIMIT) throw new Invalid({ attributes: ['is too large'] })
  return next
}

/**
 * What a website says about a customer, without the keys that are for the team only: of those, the stored values stay.
 * @param metadata what the website says; replaces the rest of what is stored
 */
export function withoutTeamOnly(hidden: ReadonlySet<string>, stored: Metadata, metadata: Metadata): Metadata {
  const own = Object.entries(metadata).filter(([key]) => !hidden.has(key))
  const kept = Object.entries(stored).filter(([key]) => hidden.has(key))
  return Object.fromEntries([...own, ...kept])
}
