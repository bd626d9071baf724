import type { FastifyInstance, FastifyReply } from 'fastify'
import type { RawBuilder, SqlBool } from 'kysely'
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
import type { Authentication, MakeCall, Routes } from './platform/http/routes.ts'
import type { SignatureSchemes } from './platform/http/signatures.ts'
import type { Job, JobPayload, Schedule } from './platform/jobs/job.ts'
import type { WantedConnection } from './platform/outbound/live-connections.ts'
import type { ChannelDefinition } from './platform/realtime/channel.ts'

/** An event as stored in the log. */
export type LoggedEvent<Type extends EventType = EventType> = Announced<Extract<Event, { type: Type }>>

/** An event as a consumer reads it: also with the time at which its transaction began. */
export type ReadEvent<Type extends EventType = EventType> = LoggedEvent<Type> & { created_at: string }

/** Reads the event log: for consequences of events that nobody waits for. */
export interface Consumer<Type extends EventType = EventType> {
  /** Its position in the log is stored under this name, so it must not change. */
  name: string
  of: readonly Type[]
  /**
   * Minimum pause between two batches, in milliseconds. Where events are frequent and their consequences not urgent,
   * one batch then does the work of many.
   */
  restMs?: number
  /**
   * A condition on a row of `events`: whether its account has anything for which this consumer works. Other events are
   * not even read. What it depends on must be stored before the events that it makes relevant.
   */
  concerns?: RawBuilder<SqlBool>
  /** Whether it reads what happens in test conversations, too. For all others these do not exist. */
  readsTests?: true
  /** The jobs that it may enqueue. */
  jobs: readonly Job<JobPayload, Context>[]
  /**
   * Handles a batch of events in the transaction that moves the consumer's position, so its writes happen once. A
   * failed batch is repeated, and later events wait for it; so a consumer only decides and enqueues jobs. Anything that
   * can fail belongs in a job.
   */
  consume(context: Context, change: Change, events: ReadEvent<Type>[]): Promise<void>
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
  /**
   * Makes a call of the contract for a caller who was identified in another way, with its rules: who may call, limits, and
   * what it accepts. Calls that read headers or write files cannot be made so.
   */
  call: MakeCall
  /** Sends the built script of the widget. */
  sendWidget(reply: FastifyReply): FastifyReply
  /** Sends the dashboard's page with a content security policy that allows it more. */
  sendDashboard(reply: FastifyReply, allowed: Allowed): FastifyReply
}

/** A feature's manifest: everything that the rest of the server needs to know about it. */
export interface Feature {
  /** The name of its folder. */
  name: string
  /** Its calls of the contract; `routes` contains a handler for each. */
  calls?: Record<string, Endpoint>[]
  routes?: ((routes: Routes, context: Context) => void)[]
  /** The signature schemes of its `signed` calls, by the names in their declarations. */
  signatures?(context: Context): SignatureSchemes
  /** Routes outside the contract. */
  pages?(app: FastifyInstance, context: Context, tools: PageTools): void
  channels?(context: Context): ChannelDefinition[]
  jobs?: Job<JobPayload, Context>[]
  schedules?: Schedule<Context>[]
  consumers?: Consumer[]
  customerData?: CustomerData[]
  /** Pending work in the feature's own tables. */
  backlogs?: Backlog[]
  /** Additional metrics. */
  metrics?: Metric[]
  encryptedColumns?: EncryptedColumn[]
  /** The integrations it provides. */
  integrations?: Integration[]
  /** Long-lived connections to other systems, each held by one server. None where integrations are switched off. */
  liveConnections?(context: Context): Promise<WantedConnection[]>
  /** Called on this server right after a commit, to keep data in memory up to date. */
  onEvents?(context: Context, events: LoggedEvent[]): void
  /** Starts what runs beside requests, jobs and schedules, once this server answers. */
  start?(context: Context): void
  /** Stops it. */
  stop?(context: Context): void
}

/** Declares a feature. One more line in `app.ts` adds it to the server. */
export function defineFeature(feature: Feature): Feature {
  return feature
}

/** All encrypted columns of these features. */
export function encryptedColumnsOf(features: Feature[]): EncryptedColumn[] {
  return features.flatMap(({ encryptedColumns = [] }) => encryptedColumns)
}
