import { generate } from 'lean-qr';

/** Width in modules of the white margin, which cameras need to find the code. */
const QUIET = 4;

/** A QR code; dark on white whatever the page's colours are: cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text);
  const side = code.size + 2 * QUIET;
  const dark = Array.from({ length: code.size * code.size }, (_, n) => ({
    x: n % code.size,
    y: Math.floor(n / code.size),
  }))
    .filter(({ x, y }) => code.get(x, y))
    .map(({ x, y }) => `M${x + QUIET} ${y + QUIET}h1v1h-1z`)
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      width={200}
      height={200}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={dark} fill="#000" />
    </svg>
  );
}
