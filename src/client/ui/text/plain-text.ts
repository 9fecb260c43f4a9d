const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/**
 * Returns the paragraphs of an HTML text as plain text. The server's messages are HTML by specification (ITE-06); none of it is
 * ever inserted into the page as markup.
 */
export function plainParagraphs(html: string): string[] {
  return html
    .replaceAll(/<\s*(?:br|\/p|\/div|\/li|\/h[1-6])\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#(\d{1,7})|(\w+));/g, (whole, code: string | undefined, name: string | undefined) =>
      code === undefined ? (entities[name ?? ''] ?? whole) : safeCodePoint(Number(code)),
    )
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const safeCodePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
