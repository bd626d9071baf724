import type { BodyInput, Endpoint, Params, QueryInput } from './endpoint.ts'

type PathPart<E extends Endpoint> = keyof Params<E> extends never ? { params?: undefined } : { params: Params<E> }
type QueryPart<E extends Endpoint> = E extends { query: object } ? { query?: QueryInput<E> } : { query?: undefined }
type BodyPart<E extends Endpoint> = E extends { body: object } ? { body: BodyInput<E> } : { body?: undefined }

/** The input of a call: path parameters, query and body, as far as it takes them. */
export type CallInput<E extends Endpoint> = PathPart<E> & QueryPart<E> & BodyPart<E>

/** The path with parameters and query filled in. Undefined is left out, null is sent empty. */
export function addressOf(path: string, params: object = {}, query: object = {}): string {
  const filled = path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(Reflect.get(params, name))),
  )
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${inForm(name)}=${inForm(value === null ? '' : String(value))}`)
  return search.length > 0 ? `${filled}?${search.join('&')}` : filled
}

/** Form encoding, where a plus is a space. */
function inForm(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+')
}
