import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  DASHBOARD_FILES,
  DASHBOARD_LIMIT,
  filesInRings,
  firstScreen,
  LOADER_LIMIT,
  STORYTIME_LIMIT,
  WIDGET_LIMIT,
} from '../bench/budget.ts'

const dist = resolve(import.meta.dirname, '..', 'dist')
const sizes = firstScreen(dist)

test('the widget’s script, with an inbox’s settings, stays within 6 kB', () =>
  expect(sizes.loader).toBeLessThanOrEqual(LOADER_LIMIT))
test('the script for live sessions stays within 3 kB while nobody watches', () =>
  expect(sizes.storytime).toBeLessThanOrEqual(STORYTIME_LIMIT))
test('the open chat stays within 40 kB in all', () => expect(sizes.widget).toBeLessThanOrEqual(WIDGET_LIMIT))
test('the script of the dashboard’s first screen stays within 250 kB', () =>
  expect(sizes.dashboard).toBeLessThanOrEqual(DASHBOARD_LIMIT))
test('and has at most twelve files', () => expect(sizes.dashboard_files).toBeLessThanOrEqual(DASHBOARD_FILES))
test('no built file of the dashboard imports another that imports it back', () =>
  expect(filesInRings(dist)).toEqual([]))
