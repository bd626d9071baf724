import type { QueryClient } from '@tanstack/react-query'
import {
  type AttributeChanges,
  type AttributeDefinition,
  type AttributeDraft,
  attributes,
} from '#contract/customers/attributes.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'
import { ATTRIBUTES_KEY } from './keys.ts'
import { attributesQuery } from './queries.ts'

export async function createAttribute(client: QueryClient, attribute_definition: AttributeDraft): Promise<void> {
  await call(attributes.create, { body: { attribute_definition } })
  await client.invalidateQueries({ queryKey: ATTRIBUTES_KEY })
}

export async function changeAttribute(
  client: QueryClient,
  id: string,
  attribute_definition: AttributeChanges,
): Promise<void> {
  await call(attributes.update, { params: { id }, body: { attribute_definition } })
  await client.invalidateQueries({ queryKey: ATTRIBUTES_KEY })
}

/** Deletes an attribute. Ignores that it was already deleted elsewhere. */
export async function deleteAttribute(client: QueryClient, id: string): Promise<void> {
  await call(attributes.remove, { params: { id } }).catch((error) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
  await client.invalidateQueries({ queryKey: ATTRIBUTES_KEY })
}

/** Moves one of these attributes up (-1) or down (1). */
export async function moveAttribute(
  client: QueryClient,
  shown: AttributeDefinition[],
  at: number,
  by: -1 | 1,
): Promise<void> {
  const ids = shown.map(({ id }) => id)
  ids.splice(at + by, 0, ...ids.splice(at, 1))
  const { data } = await call(attributes.reorder, { body: { ids } })
  client.setQueryData(attributesQuery.queryKey, data)
}
