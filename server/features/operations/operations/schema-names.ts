import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as z from 'zod/mini'

const contract = resolve(import.meta.dirname, '../../../../contract')

/** Every shape exported by the contract, by name. */
export async function readSchemas(): Promise<Record<string, z.ZodMiniType>> {
  const files = globSync('**/*.ts', { cwd: contract }).filter((file) => !/\.test\.ts$|^(endpoint|wire)\.ts$/.test(file))
  const modules = await Promise.all(files.sort().map((file) => import(pathToFileURL(resolve(contract, file)).href)))
  const exported = modules.flatMap((module: Record<string, unknown>) => Object.entries(module))
  return Object.fromEntries(exported.filter((entry): entry is [string, z.ZodMiniType] => isShape(entry)))
}

/** Objects and enums get a name; texts and numbers do not. */
function isShape([name, value]: [string, unknown]): boolean {
  if (!/^[A-Z]/.test(name) || typeof value !== 'object' || value === null || !('_zod' in value)) return false
  const type = (value as z.ZodMiniType)._zod.def.type
  return type === 'object' || type === 'enum' || type === 'union'
}
