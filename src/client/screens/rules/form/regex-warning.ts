import { formatInteger } from '#client/ui/text/formats.ts';
/** Characters, as on the server. */
const longest = 512;

const notation: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, 'Look-around (?=…), (?!…), (?<=…), (?<!…) wird nicht unterstützt.'],
  [/\(\?</, 'Benannte Gruppen werden als (?P<name>…) geschrieben.'],
];

/**
 * Says in German why a pattern will probably be refused; undefined if nothing speaks against it. Only a warning while typing: the
 * server checks with RE2. The browser's engine merely parses the pattern, it never runs it (T8).
 */
export function regexWarning(pattern: string): string | undefined {
  if (pattern.length > longest) return `Das Muster ist länger als ${formatInteger(longest)} Zeichen.`;
  const quoted = pattern.replaceAll(/\\Q.*?(?:\\E|$)/gs, '');
  if (/\\[1-9]/.test(quoted.replaceAll('\\\\', ''))) return 'Rückverweise wie \\1 werden nicht unterstützt.';
  const bare = quoted.replaceAll(/\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]/gs, 'x');
  const foreign = notation.find(([feature]) => feature.test(bare));
  if (foreign !== undefined) return foreign[1];
  return reads(quoted) ? undefined : 'Das Muster ist ungültig.';
}

/** Tells whether the pattern parses after RE2's notations are converted to the browser's. */
function reads(pattern: string): boolean {
  const own = pattern
    .replaceAll(/\(\?[imsU-]+\)/g, '')
    .replaceAll(/\(\?[imsU-]+:/g, '(?:')
    .replaceAll('(?P<', '(?<');
  try {
    return new RegExp(own) instanceof RegExp;
  } catch {
    return false;
  }
}
