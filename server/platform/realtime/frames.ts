import { parseJson } from '../json.ts'

/** The two wire forms: version 2 frames are arrays of five, version 1 frames are objects. */
export type Version = 1 | 2

/** Clients number their frames; a reply carries the same value of the same JSON type. */
export type Ref = string | number | null

/** The payload of a frame: a JSON object; one from a client is unvalidated. */
export type Payload = Record<string, unknown>

/** What a reply refers to: its topic and refs. */
export interface Address {
  joinRef: Ref
  ref: Ref
  topic: string
}

/** One frame of Phoenix Channels V2: join reference, reference, topic, event, payload. */
export interface Frame extends Address {
  event: string
  payload: Payload
  /** Characters on the wire. */
  size: number
}

/** An invalid frame. If its ref can be read, its sender gets an error. */
export interface Malformed {
  malformed: string
  reply?: Address
}

const MAX_REF_LENGTH = 64
const MAX_EVENT_LENGTH = 128
/** Recorded pages are nested as deeply as their elements. */
const DEEPEST = 1_000

/** Parses a text frame. Never throws. */
export function parseFrame(text: string, version: Version, longestTopic: number): Frame | Malformed {
  let value: unknown
  try {
    value = parseJson(text, DEEPEST)
  } catch {
    return { malformed: 'not JSON' }
  }
  const parts = version === 2 ? partsOfArray(value) : partsOfObject(value)
  if (!parts) return { malformed: 'not a frame' }
  const { joinRef, ref, topic, event, payload } = parts
  if (!isRef(joinRef) || !isRef(ref)) return { malformed: 'wrong ref' }
  if (!isPlainText(topic, longestTopic)) return { malformed: 'wrong topic' }
  const reply = ref === null ? undefined : { joinRef, ref, topic }
  if (!isPlainText(event, MAX_EVENT_LENGTH)) return { malformed: 'wrong event', reply }
  if (!isObject(payload)) return { malformed: 'wrong payload', reply }
  return { joinRef, ref, topic, event, payload, size: text.length }
}

/** Serialises a frame. Throws what JSON.stringify throws, for payloads that are not JSON. */
export function encode(version: Version, { joinRef, ref, topic }: Address, event: string, payload: object): string {
  return JSON.stringify(version === 2 ? [joinRef, ref, topic, event, payload] : { topic, event, payload, ref })
}

/** A frame for everyone on a topic, in version 2. */
export function encodeBroadcast(topic: string, event: string, payload: object): string {
  return encode(2, { joinRef: null, ref: null, topic }, event, payload)
}

/** The same broadcast for a client that speaks version 1. */
export function toVersion1(broadcast: string): string {
  const [joinRef, ref, topic, event, payload]: [Ref, Ref, string, string, object] = JSON.parse(broadcast)
  return encode(1, { joinRef, ref, topic }, event, payload)
}

function partsOfArray(value: unknown) {
  if (!Array.isArray(value) || value.length !== 5) return
  const [joinRef, ref, topic, event, payload]: unknown[] = value
  return { joinRef, ref, topic, event, payload: payload ?? {} }
}

function partsOfObject(value: unknown) {
  if (!isObject(value)) return
  const { join_ref: joinRef = null, ref = null, topic, event, payload } = value
  return { joinRef, ref, topic, event, payload: payload ?? {} }
}

function isRef(value: unknown): value is Ref {
  return value === null || typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_REF_LENGTH)
}

function isPlainText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= longest && !/\p{Cc}/u.test(value)
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
