import { encode } from 'uqr'

/** Cameras want it dark on light, with light around it, whatever colours the page has. */
const [INK, PAPER] = ['#1b2726', '#ffffff']

/** A text as a square that cameras read. What it says stands beside it for everybody else. */
export function QrCode({ value, size = 160 }: { value: string; size?: number }) {
  const { data, size: modules } = encode(value, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg
      viewBox={`0 0 ${modules} ${modules}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      <path d={`M0 0h${modules}v${modules}H0z`} fill={PAPER} />
      <path d={path} fill={INK} />
    </svg>
  )
}
