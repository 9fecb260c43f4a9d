import { generate } from 'lean-qr';

/** White around the code, which cameras need to find it. */
const QUIET = 4;

/** A QR code; always dark on white, whatever colours the page has: cameras read no other. */
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
