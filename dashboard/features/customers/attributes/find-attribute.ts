import type { AttributeDefinition, AttributeSubject } from '#contract/customers/attributes.ts'

/** The attribute with a key; undefined for another key of the metadata. */
export function findAttribute(
  attributes: readonly AttributeDefinition[],
  subject: AttributeSubject | undefined,
  key: string | undefined,
): AttributeDefinition | undefined {
  return attributes.find((attribute) => attribute.subject === subject && attribute.key === key)
}
