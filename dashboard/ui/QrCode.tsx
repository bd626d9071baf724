import { encode } from 'uqr'

/** Cameras need dark on light with a light margin, whatever the color scheme. */
const [INK, PAPER] = ['#1b2726', '#ffffff']

/** A text as a QR code. Show the text beside it as well. */
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
