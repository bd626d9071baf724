import * as z from 'zod/mini'
import { ERRORS } from './openapi-errors.ts'
import { type Direction, exampleOf } from './openapi-examples.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

const IGNORED = 'A value of another form is ignored.'

/** Converts shapes of the contract to JSON Schema, named ones once. */
export class Shapes {
  readonly #registry = z.registry<{ id: string }>()
  readonly #named: Record<string, JsonSchema> = {}

  /** Takes the contract's named shapes. */
  constructor(schemas: Record<string, z.ZodMiniType>) {
    for (const [id, schema] of Object.entries(schemas)) this.#registry.add(schema, { id })
  }

  /** A shape as clients may send it (`input`: lenient types, before parsing), or as a response. */
  describe(schema: z.ZodMiniType, io: Direction): JsonSchema {
    const described = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      metadata: this.#registry,
      override: ({ zodSchema, jsonSchema }) => addDeclared(zodSchema, jsonSchema, io),
    })
    const { $schema: _, $defs = {}, id, ...own } = described
    // A shape differs before and after parsing.
    const nameOf = (name: string) => (io === 'input' ? `${name}Input` : name)
    const move = (part: unknown): unknown =>
      JSON.parse(
        JSON.stringify(part).replace(
          /"#\/\$defs\/([^"]+)"/g,
          (_match, name) => `"#/components/schemas/${nameOf(name)}"`,
        ),
        (key, value) => (key === 'id' && typeof value === 'string' ? undefined : value),
      )
    for (const [name, definition] of Object.entries($defs)) this.#named[nameOf(name)] = move(definition) as JsonSchema
    return move(own) as JsonSchema
  }

  /** Resolves a reference to the shape itself. */
  resolve(schema: JsonSchema): JsonSchema {
    return schema.$ref ? (this.#named[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
  }

  /** Named shapes that a text, or one of these shapes, refers to. */
  named(text: string): Record<string, JsonSchema> {
    const all = text + JSON.stringify(this.#named)
    const used = Object.entries(this.#named).filter(([name]) => all.includes(`"#/components/schemas/${name}"`))
    return { ...Object.fromEntries(used), ...ERRORS.schemas }
  }

  /** An example of a described shape. `name` is that of the field or parameter. */
  example(schema: JsonSchema, io: Direction, name = ''): unknown {
    return exampleOf(schema, { named: this.#named, io, name })
  }
}

/** Adds what the contract says about a shape with `z.describe` and `z.meta`, and where it ignores what it cannot read. */
function addDeclared(schema: z.core.$ZodType, described: JsonSchema, io: Direction): void {
  Object.assign(described, z.globalRegistry.get(schema))
  if (schema._zod.def.type !== 'catch') return
  delete described.default
  if (io === 'output') return
  described['x-lenient'] = true
  described.description = [described.description, IGNORED].filter(Boolean).join(' ')
}
