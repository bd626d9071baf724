import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Event, EventType } from '#contract/events.ts'
import type { Backlog } from './backlog.ts'
import type { Context } from './context.ts'
import type { CustomerData } from './customer-data.ts'
import type { Integration } from './integration.ts'
import type { Metric } from './metric.ts'
import type { EncryptedColumn } from './platform/crypto/encrypted-columns.ts'
import type { Announced, Change } from './platform/db/change.ts'
import type { Allowed } from './platform/http/pages.ts'
import type { Authentication, Routes } from './platform/http/routes.ts'
import type { SignatureSchemes } from './platform/http/signatures.ts'
import type { Job, JobPayload, Schedule } from './platform/jobs/job.ts'
import type { WantedConnection } from './platform/outbound/live-connections.ts'
import type { ChannelDefinition } from './platform/realtime/channel.ts'

/** An event that happened, as the log tells it. */
export type LoggedEvent<Type extends EventType = EventType> = Announced<Extract<Event, { type: Type }>>

/** Reads the event log: what must follow from events without anybody waiting for it. */
export interface Consumer<Type extends EventType = EventType> {
  /** Its position in the log bears this name, so it stays. */
  name: string
  of: readonly Type[]
  /**
   * Milliseconds between two batches at least. Where nobody waits for what follows and much of it happens, one batch then does the
   * work of many.
   */
  restMs?: number
  /** The jobs that it may enqueue. */
  jobs: readonly Job<JobPayload, Context>[]
  /**
   * Is given events in batches, each in the transaction that moves the consumer's position: what it writes there is written
   * once. A batch that fails is given again, and the consumer's later events wait for it; so it only decides and writes
   * jobs. What can fail by itself is a job.
   */
  consume(context: Context, change: Change, events: LoggedEvent<Type>[]): Promise<void>
}

/** Declares a consumer of events. */
export function defineConsumer<const Type extends EventType>(
  name: string,
  consumer: Omit<Consumer<Type>, 'name'>,
): Consumer {
  return { name, ...consumer }
}

/** What routes outside the contract are given. */
export interface PageTools {
  limit: Authentication['limit']
  /** Sends the widget's script as it was built. */
  sendWidget(reply: FastifyReply): FastifyReply
  /** Sends the dashboard's page under a policy that allows it more of others. */
  sendDashboard(reply: FastifyReply, allowed: Allowed): FastifyReply
}

/** Everything that the rest of the server must know of a feature. */
export interface Feature {
  /** That of its folder. */
  name: string
  /** The calls of the contract that it answers; `routes` has one handler for each. */
  calls?: Record<string, Endpoint>[]
  routes?: ((routes: Routes, context: Context) => void)[]
  /** How other systems sign the calls that are declared as `signed`, by the names in those declarations. */
  signatures?(context: Context): SignatureSchemes
  /** Routes outside the contract. */
  pages?(app: FastifyInstance, context: Context, tools: PageTools): void
  channels?(context: Context): ChannelDefinition[]
  jobs?: Job<JobPayload, Context>[]
  schedules?: Schedule<Context>[]
  consumers?: Consumer[]
  customerData?: CustomerData[]
  /** Work that waits in the feature's own tables. */
  backlogs?: Backlog[]
  /** Figures for `/metrics` beside those. */
  metrics?: Metric[]
  encryptedColumns?: EncryptedColumn[]
  /** The integrations that it provides. */
  integrations?: Integration[]
  /** Long-lived connections to other systems, of which each is held by one of all servers. None where integrations are off. */
  liveConnections?(context: Context): Promise<WantedConnection[]>
  /** Told at once, and on this server alone, of what was committed: to keep something in memory up to date. */
  onEvents?(context: Context, events: LoggedEvent[]): void
  /** Begins what runs beside requests, jobs and schedules, once this server answers. */
  start?(context: Context): void
  /** Ends it. */
  stop?(context: Context): void
}

/** Declares a feature. Its line in `app.ts` is all that the rest of the server needs. */
export function defineFeature(feature: Feature): Feature {
  return feature
}

/** Everything that these features keep encrypted. */
export function encryptedColumnsOf(features: Feature[]): EncryptedColumn[] {
  return features.flatMap(({ encryptedColumns = [] }) => encryptedColumns)
}
