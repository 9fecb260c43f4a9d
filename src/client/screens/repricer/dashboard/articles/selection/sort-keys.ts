const digits = 20;

/**
 * Returns a sort key for dictionary order, with numbers by size: such keys are compared by code units,
 * hundreds of times as fast as with a collator.
 */
export function sortKey(text: string): string {
  const plain = isAscii(text) ? text : text.replaceAll('ß', 'ss').normalize('NFD').replaceAll(/\p{M}/gu, '');
  return plain.toLowerCase().replaceAll(/\d+/g, (number) => number.padStart(digits, '0'));
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
