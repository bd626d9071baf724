import * as z from 'zod/mini'

type Schema = z.ZodMiniType
type Fields = Record<string, Schema>
type PayloadOf<F extends Fields> = z.output<z.ZodMiniObject<F>>

/**
 * Who receives an event. A definition without this does not compile.
 * - `nobody`: no client; servers alone act on it.
 * - `team`: every user of the account.
 * - `team and customer`: the customer concerned, too. What a customer may see is decided in one place on the server,
 *   which does not compile while the case is missing.
 */
export type Receivers = 'nobody' | 'team' | 'team and customer'

/** A narrower topic of the team, for clients that listen to one customer only. */
interface TopicEvent {
  topic: string
  event: string
  payload: object
}

interface Settings<F extends Fields, R extends Receivers> {
  receivers: R
  /** The announced payload, stored in the log and passed to consumers. */
  payload: F
  /** Customers whose access rights changed, or `null` for all of the account: their sockets are checked again. */
  access?(payload: PayloadOf<F>): string[] | null
  topics?(payload: PayloadOf<F>): TopicEvent[]
}

interface Sent<F extends Fields, Name extends string, S extends Schema, C extends EventForm> {
  /** The name for clients, if it differs from the event's. */
  name?: Name
  /** What the team receives. */
  sends: S
  as(payload: PayloadOf<F>): z.output<S>
  /** Event and payload for the customer, if they differ from the team's. */
  customer?: C
}

/** One form in which clients receive an event: its name as `event`, with the payload. */
export type EventForm<ClientEvent = unknown> = z.ZodMiniObject<{ event: Schema; payload: Schema }> &
  z.ZodMiniType<ClientEvent>

/** An event as clients receive it. */
type Client<Name extends string, S extends Schema> = { event: Name; payload: z.output<S> }

/** A declared event: its name, payload, and receivers. */
export interface EventDefinition<
  Type extends string = string,
  Payload extends object = object,
  R extends Receivers = Receivers,
  ClientEvent = unknown,
> {
  type: Type
  receivers: R
  payload: z.ZodMiniType<Payload>
  /** The forms in which clients receive it, each with its name as `event`. */
  clientForms: readonly EventForm<ClientEvent>[]
  /** The name under which the team receives it. */
  name: string
  /** The payload for the team; undefined if it receives nothing. */
  forTeam(payload: Payload): { event: string; payload: unknown } | undefined
  access?(payload: Payload): string[] | null
  topics?(payload: Payload): TopicEvent[]
}

/**
 * Declares an event. A feature announces it inside its transaction; sockets, the resume feed and the consumers of the
 * log read the same declaration. Without `sends` the team receives the only field of the payload.
 */
export function defineEvent<const Type extends string, F extends Fields>(
  type: Type,
  event: Settings<F, 'nobody'>,
): EventDefinition<Type, PayloadOf<F>, 'nobody', never>
export function defineEvent<
  const Type extends string,
  F extends Fields,
  R extends 'team' | 'team and customer',
  S extends Schema,
  const Name extends string = Type,
  C extends EventForm = never,
>(
  type: Type,
  event: Settings<F, R> & Sent<F, Name, S, C>,
): EventDefinition<Type, PayloadOf<F>, R, Client<Name, S> | z.output<C>>
export function defineEvent<const Type extends string, F extends Fields, R extends 'team' | 'team and customer'>(
  type: Type,
  event: Settings<F, R>,
): EventDefinition<Type, PayloadOf<F>, R, Client<Type, F[keyof F]>>
export function defineEvent(
  type: string,
  event: Settings<Fields, Receivers> & Partial<Sent<Fields, string, Schema, EventForm>>,
): EventDefinition {
  const { receivers, payload, name = type, sends, as, customer, access, topics } = event
  const [only = '', ...others] = Object.keys(payload)
  if (receivers !== 'nobody' && !sends && others.length > 0) throw new Error(`${type} has to say what it sends.`)
  const form = z.object({ event: z.literal(name), payload: sends ?? payload[only] ?? z.never() })
  return {
    type,
    receivers,
    name,
    payload: z.object(payload),
    clientForms: receivers === 'nobody' ? [] : [form, ...(customer ? [customer] : [])],
    forTeam: (values) =>
      receivers === 'nobody' ? undefined : { event: name, payload: as ? as({ ...values }) : Reflect.get(values, only) },
    access,
    topics,
  }
}

/** A thing was deleted: clients receive its id. */
export const Gone = z.object({ id: z.string() })

type Flat<T> = { [Key in keyof T]: T[Key] }

/** An event as stored in the log: its type and payload. */
export type EventOf<D> = D extends EventDefinition ? Flat<{ type: D['type'] } & z.output<D['payload']>> : never

/** The forms in which clients receive an event. */
export type ClientEventOf<D> = D extends EventDefinition ? z.output<D['clientForms'][number]> : never
