import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type * as z from 'zod/mini'

export type JsonSchema = z.core.JSONSchema.BaseSchema

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

type Content = Record<string, { schema: JsonSchema; example?: unknown }>

/** One call of the OpenAPI document. */
export interface Operation {
  id: string
  method: string
  path: string
  description: string
  security: Record<string, unknown>[]
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; content?: Content; headers?: Record<string, { required?: boolean }> }>
}

/** The first word of a call's path, such as `conversations`. */
export function nounOf({ path }: Operation): string {
  return path.replace(/^\/api(\/v1)?\//, '').split('/')[0] ?? ''
}

interface OpenApi {
  info: { description: string }
  paths: Record<string, Record<string, Omit<Operation, 'id' | 'method' | 'path'> & { operationId: string }>>
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, Operation['responses'][string]> }
}

/** The OpenAPI document of a server, with a validator for each of its schemas. */
export class ApiDocument {
  readonly operations: Operation[]
  readonly #document: OpenApi
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, logger: false })
  readonly #validators = new Map<JsonSchema, ValidateFunction>()

  constructor(document: OpenApi) {
    this.#document = document
    addFormats.default(this.#ajv)
    this.#ajv.addSchema({ components: document.components }, 'parley')
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId: id, ...call }]) => ({
        ...call,
        id,
        method: method.toUpperCase(),
        path,
      })),
    )
  }

  /** What the document says about all calls. */
  get introduction(): string {
    return this.#document.info.description
  }

  /** A schema without reference. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref, ...own } = schema
    if (!$ref) return schema
    return { ...this.resolve(this.#document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...own }
  }

  /** The declared response of a call for a status, or undefined. */
  responseOf(operation: Operation, status: number): Operation['responses'][string] | undefined {
    const response = operation.responses[status]
    return response?.$ref ? this.#document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response
  }

  /** Why a value does not have a shape, or undefined if it has. */
  complaintAbout(schema: JsonSchema, value: unknown): string | undefined {
    let validate = this.#validators.get(schema)
    if (!validate) {
      validate = this.#ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"parley#/components/')),
      )
      this.#validators.set(schema, validate)
    }
    if (validate(value)) return undefined
    return validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
  }

  /** The same for a parameter, which arrives as text. */
  isParameterValid({ schema }: Parameter, text: string): boolean {
    const forms: unknown[] = [text]
    if (text !== '' && Number.isFinite(Number(text))) forms.push(Number(text))
    if (text === 'true' || text === 'false') forms.push(text === 'true')
    return forms.some((form) => this.complaintAbout(schema, form) === undefined)
  }
}
