import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'

/** One line or one set of bars. */
export interface Series {
  name: string
  color: 'accent' | 'second' | 'quiet'
  /** Null where nothing was measured. */
  values: readonly (number | null)[]
}

interface ChartProps {
  /** For screen readers. */
  label: string
  /** The labels of the horizontal axis, one for each value. */
  names: readonly string[]
  series: readonly Series[]
  /** Formats values; without it they are shown as numbers. */
  write?: (value: number) => string
}

const HEIGHT = 220
/** Up to this many points are also marked with dots. */
const FEW = 15
/** Characters that fit beside a bar. */
const MAX_NAME_LENGTH = 19
const COLORS = { accent: 'var(--accent)', second: 'var(--tag-volcano-ink)', quiet: 'var(--line-strong)' }
const AXIS = { stroke: 'var(--line-strong)', tick: { fill: 'var(--ink-quiet)', fontSize: 12 }, tickLine: false }
const TOOLTIP = {
  contentStyle: {
    color: 'var(--ink)',
    background: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: 8,
  },
  labelStyle: { color: 'var(--ink-strong)' },
  cursor: { fill: 'var(--hover)', stroke: 'var(--line-strong)' },
  isAnimationActive: false,
  separator: ': ',
}

/** A line chart. Arrow keys move along it. */
export function Lines({ label, names, series, write = String }: ChartProps) {
  return (
    <ResponsiveContainer width="100%" height={HEIGHT}>
      <LineChart data={rowsOf(names, series)} title={label} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" {...AXIS} minTickGap={24} />
        <YAxis {...valueAxis(series, write)} />
        <Tooltip {...TOOLTIP} formatter={(value) => write(Number(value))} />
        {series.length > 1 && <Legend iconType="plainline" />}
        {series.map(({ name, color }) => (
          <Line
            key={name}
            dataKey={name}
            type="linear"
            stroke={COLORS[color]}
            strokeWidth={2}
            strokeDasharray={color === 'quiet' ? '4 4' : undefined}
            dot={names.length < FEW && { r: 3, fill: COLORS[color], strokeWidth: 0 }}
            connectNulls
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  )
}

/** A bar chart. */
export function Bars({ label, names, series, write = String }: ChartProps) {
  return (
    <ResponsiveContainer width="100%" height={HEIGHT}>
      <BarChart data={rowsOf(names, series)} title={label} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" {...AXIS} interval={0} />
        <YAxis {...valueAxis(series, write)} />
        <Tooltip {...TOOLTIP} formatter={(value) => write(Number(value))} />
        {series.length > 1 && <Legend />}
        {series.map(({ name, color }) => (
          <Bar key={name} dataKey={name} fill={COLORS[color]} radius={[4, 4, 0, 0]} isAnimationActive={false} />
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}

/** A chart of horizontal bars, for long names. */
export function BarList({ label, names, series, write = String }: ChartProps) {
  return (
    <ResponsiveContainer width="100%" height={Math.max(120, names.length * 36 + 16)}>
      <BarChart
        data={rowsOf(names, series)}
        title={label}
        layout="vertical"
        margin={{ top: 0, right: 32, bottom: 0, left: 0 }}
      >
        <XAxis type="number" hide allowDecimals={false} />
        <YAxis type="category" dataKey="name" {...AXIS} axisLine={false} width={150} tickFormatter={shorten} />
        <Tooltip {...TOOLTIP} formatter={(value) => write(Number(value))} />
        {series.map(({ name, color }) => (
          <Bar
            key={name}
            dataKey={name}
            fill={COLORS[color]}
            radius={[0, 4, 4, 0]}
            barSize={16}
            label={{ position: 'right', fill: 'var(--ink)', fontSize: 12 }}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}

function rowsOf(names: readonly string[], series: readonly Series[]) {
  return names.map((name, at) => ({
    name,
    ...Object.fromEntries(series.map((dataset) => [dataset.name, dataset.values[at] ?? null])),
  }))
}

/** The axis of values. */
function valueAxis(series: readonly Series[], write: (value: number) => string) {
  return { ...AXIS, axisLine: false, width: axisWidth(series, write), tickFormatter: write, allowDecimals: false }
}

/** The width in pixels of the longest label of the axis. */
function axisWidth(series: readonly Series[], write: (value: number) => string): number {
  const maxValue = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return Math.min(90, 20 + write(Math.ceil(maxValue)).length * 7)
}

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name
}
