import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { parseForeignJson } from '../../../platform/json.ts'
import { headersFor, hostOf, sentenceFor } from './ask.ts'
import type { ModelAddress } from './model.ts'
import { ModelRefused } from './model-refused.ts'

const ModelList = z.object({ data: z.array(z.object({ id: z.string().check(z.maxLength(200)) })) })
/** Large services have some hundreds. */
const MOST = 500

/** The names of a server's models. @throws ModelRefused with a sentence, AddressRefused, OutboundFailed */
export async function listModels(
  { outbound }: Pick<Context, 'outbound'>,
  address: Pick<ModelAddress, 'base_url' | 'key'>,
): Promise<string[]> {
  const response = await outbound.request(`${address.base_url}/models`, { headers: headersFor(address) })
  const text = response.bytes.toString()
  if (!response.ok)
    throw new ModelRefused(sentenceFor({ ...address, model: '', refused_parameters: [] }, response, text))
  const list = z.safeParse(ModelList, parseForeignJson(text)).data
  if (!list) throw new ModelRefused(`${hostOf(address)} does not tell its models. Type the name of one.`)
  return [...new Set(list.data.map(({ id }) => id))].sort().slice(0, MOST)
}
