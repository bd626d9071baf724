import { afterAll, expect, test } from 'vitest'
import { isInstalled, startEngine } from '#tests/support/engines/engines.ts'
import { Person, type Sight } from '#tests/support/engines/person.ts'
import { ENGINES, type Engine, type EngineName } from '#tests/support/engines/tab.ts'
import { type Scene, setScene } from '../scene.ts'

/**
 * How far an element may be from where Chromium shows it, in pixels. Engines round the widths of letters and the heights
 * of lines each in their own way, at most a pixel for a line, and a part of a page has a few lines above it.
 */
const TOLERANCE = 6

/** A story for one engine after the other may wait for a busy machine several times. */
const TIMEOUT_MS = 240_000

/**
 * A part that has just loaded may change a size while sizes are reported, about once in a hundred pages and only on a busy
 * machine. Browsers log it and report the size a frame later.
 */
const LATE_REPORT = /^ResizeObserver loop completed/

const running = new Map<EngineName, Promise<Engine>>()

function shareEngine(name: EngineName): Promise<Engine> {
  const engine = running.get(name) ?? startEngine(name)
  running.set(name, engine)
  return engine
}

/**
 * Runs a story in every engine of this machine, each with a server and a browser profile of its own. All see the same
 * texts as in Chromium, at the same positions, and an empty console.
 */
export function storyInEngines(sentence: string, story: (person: Person, scene: Scene) => Promise<void>) {
  let expected: Sight[] | undefined
  for (const name of ENGINES) {
    test.skipIf(!isInstalled(name))(`${sentence}, in ${name}`, { timeout: TIMEOUT_MS }, async () => {
      const scene = await setScene({}, { REACHABLE_HOSTS: 'localhost' })
      const tab = await (await shareEngine(name)).open()
      const person = new Person(tab)
      try {
        await story(person, scene)
        expect(tab.messages.filter((text) => !LATE_REPORT.test(text))).toEqual([])
      } catch (error) {
        console.error(`${name} showed:\n${await describe(person)}`)
        throw error
      } finally {
        await tab.close()
        await scene.close()
      }
      expected ??= person.sights
      compare(person.sights, expected)
    })
  }
  afterAll(async () => {
    for (const engine of running.values()) await (await engine).close()
    running.clear()
  })
}

function compare(seen: Sight[], expected: Sight[]) {
  expect(seen.map(({ name, text }) => ({ name, text }))).toEqual(expected.map(({ name, text }) => ({ name, text })))
  seen.forEach(({ name, boxes }, at) => {
    for (const [css, box] of Object.entries(boxes)) {
      const wanted = expected[at]?.boxes[css] ?? []
      const isNear = box.every((value, side) => Math.abs(value - (wanted[side] ?? Number.NaN)) <= TOLERANCE)
      expect(isNear, `${name}: ${css} is at ${box}, in Chromium at ${wanted}`).toBe(true)
    }
  })
}

async function describe({ tab }: Person): Promise<string> {
  const text = await tab.evaluate(() => `${location.href}\n${document.body.innerText}`, []).catch(String)
  return [text.slice(0, 2_000), ...tab.messages].join('\n')
}
