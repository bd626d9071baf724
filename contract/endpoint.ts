import * as z from 'zod/mini'

/**
 * Who may call. The server refuses everybody else before the handler runs, and tests try every call as every kind of
 * caller without rights, so a call without this does not compile.
 * - `anyone`: no credential needed; a valid token, if sent, is still recognised.
 * - `visitor`: a browser holding a visitor session. `user`: a signed-in team member. `admin`: one with that role.
 *   API keys have the rights of their user, unless the call is `session_only`.
 * - `signed`: another system, such as a vendor's webhook, that signs the body. The handler never runs on a bad signature.
 */
export type Who = 'anyone' | 'visitor' | 'user' | 'admin' | 'user or visitor' | 'signed'

/** PUT also accepts PATCH. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Schema = z.ZodMiniType
type PathNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

interface Shapes {
  /** One line for the documentation page. */
  summary: string
  /** Path parameters that are not ids. Ids need no mention: they are checked to be UUIDs. */
  params?: Schema
  query?: Schema
  body?: Schema
  answer: Schema
  /** What callers outside of the team receive, if it is less. In tests each response is compared with its caller's shape. */
  visitor_answer?: Schema
  /**
   * 200 by default. 201 also sends a `location`, 202 means that work continues in the background, 204 sends no body,
   * 303 redirects a browser.
   */
  status?: 200 | 201 | 202 | 204 | 303
  /** Maximum size of the body in bytes, instead of 256 kB. */
  body_limit?: number
  /**
   * Sent by browsers while a page is left, with a body of any type. Types that are not read are ignored; other calls
   * refuse them.
   */
  beacon?: true
  /** Takes a form with one file in the field `file`; other calls accept no multipart forms. */
  takes_file?: true
  /** The bytes of its files are not limited by the hour: pieces of a large file, from the operator. */
  counts_bytes?: false
  /** The type of a response that is a file or a plain text. */
  media_type?: 'text/csv' | 'text/plain' | 'image/webp' | 'message/rfc822' | 'text/event-stream' | '*/*'
  /** Query parameters that the handler itself demands, with an error that existing clients know. */
  needs?: readonly string[]
  /** Statuses of refusals by rules of this call, beside those that every call of its kind has. */
  refusals?: readonly (402 | 403 | 404 | 409)[]
  /** `none` keeps the id of the created object out of headers, which proxies log. */
  location?: 'none'
  /** About signing in, sessions and credentials: API keys cannot make this call. */
  session_only?: true
  /** Functions of the account may make this call, too; their keys are refused everywhere else. */
  for_functions?: true
  /** The signature scheme; required if `signed` systems call. */
  signature?: string
  /** The rate limit; `message` and `sign-in` are tighter than `ordinary`. */
  limit?: 'ordinary' | 'message' | 'sign-in' | 'none'
}

/** Maximum size of a body in bytes, unless a call declares another. */
export const BODY_LIMIT = 256_000

/** A declared call. */
export type Endpoint<Path extends string = string, S extends Shapes = Shapes, W extends Who = Who> = S & {
  who: W
  method: Method
  path: Path
}

/** The path parameters of a call, parsed: ids are text unless declared otherwise. */
export type Params<E extends Endpoint> = E extends { params: infer P extends Schema }
  ? z.output<P>
  : E extends Endpoint<infer Path>
    ? { [Name in PathNames<Path>]: string }
    : never
/** The query of a call as its handler reads it. */
export type Query<E extends Endpoint> = E extends { query: infer Q extends Schema } ? z.output<Q> : object
/** The query of a call as a client writes it. */
export type QueryInput<E extends Endpoint> = E extends { query: infer Q extends Schema } ? z.input<Q> : object
/** The body of a call as its handler reads it. */
export type Body<E extends Endpoint> = E extends { body: infer B extends Schema } ? z.output<B> : undefined
/** The body of a call as a client writes it. */
export type BodyInput<E extends Endpoint> = E extends { body: infer B extends Schema } ? z.input<B> : undefined
/** What a call answers with. */
export type Answer<E extends Endpoint> = E extends { answer: infer A extends Schema } ? z.output<A> : never

/** What the server answers to a visitor, where that differs. */
export type VisitorAnswer<E extends Endpoint> = E extends { visitor_answer: infer A extends Schema }
  ? z.output<A>
  : never

/** The options of a declaration that depend on who may call. */
type EndpointOptions<W extends Who> = W extends 'signed'
  ? { signature: string; takes_file?: never; session_only?: never; for_functions?: never }
  : { signature?: never }

/** Declares one HTTP call. The server routes by it, browsers call by it, and tests go through all of them. */
export function endpoint<const Path extends string, const S extends Shapes, const W extends Who>(
  who: W,
  method: Method,
  path: Path,
  shapes: S & EndpointOptions<W>,
): Endpoint<Path, S, W> {
  return { ...shapes, who, method, path }
}

/** Whether API keys may make this call: all calls of their user, except those that need a session. */
export function isOpenToApiKeys({ who, session_only }: Endpoint): boolean {
  return who !== 'visitor' && who !== 'signed' && !session_only
}

/** Whether a read-only key may make this call. */
export function onlyReads({ method }: Endpoint): boolean {
  return method === 'GET'
}

/** The path for programs. The server treats both paths alike. */
export function publicPath(endpoint: Endpoint): string {
  return isOpenToApiKeys(endpoint) ? endpoint.path.replace(/^\/api\//, '/api/v1/') : endpoint.path
}

/** The usual envelope of an answer. */
export function data<S extends Schema>(schema: S) {
  return z.object({ data: schema })
}
