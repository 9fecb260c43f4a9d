import { type Draft, MAX_DEPTH, tooDeep } from './draft.ts';
import { partsOf } from './list-text.ts';
import { commentWarnings } from './preamble.ts';

const numbered = /^(\S+)\s+[-:–]\s+(\S.*)$/;
/** 'id | [left-right] | name': a nested set, in which an entry is below those whose interval contains its own. */
const interval = /^\s*(\S+)\s*\|\s*\[\s*(\d+)\s*-\s*(\d+)\s*\]\s*\|\s*(\S.*)$/;
const level = /[>»›]/;

/**
 * Reads lines 'id - A > B > C' (Google) or 'gid : A > B > C' (Shopify), or paths alone, which are then their own ids; '#' begins
 * a comment. `above`: comments before these lines. Warns of comments that may be entries. undefined: no such list.
 */
export function readLines(text: string, above: readonly string[]): { drafts: Draft[]; warnings: string[] } | undefined {
  const written = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const lines = written.filter((line) => !line.startsWith('#'));
  const comments = [...above, ...written.filter((line) => line.startsWith('#'))];
  const told = (shape: RegExp) => commentWarnings(comments.filter((line) => shape.test(line)));
  if (lines.length > 0 && lines.every((line) => interval.test(line)))
    return { drafts: nestedSet(lines), warnings: told(interval) };
  const withId = lines.filter((line) => numbered.test(line)).length;
  const withPath = lines.filter((line) => level.test(line)).length;
  if (lines.length === 0 || (withId < lines.length && withPath < lines.length / 2)) return undefined;
  const hasIds = withId === lines.length;
  const drafts = lines.map((line) => {
    const [, id, rest] = hasIds ? (numbered.exec(line) ?? []) : [];
    const path = partsOf(rest ?? line, level);
    return { id: id ?? path.join(' > '), name: path.at(-1) ?? '', info: '', path };
  });
  return { drafts, warnings: hasIds ? told(numbered) : commentWarnings(comments) };
}

function nestedSet(lines: readonly string[]): Draft[] {
  const above: { name: string; right: number }[] = [];
  return lines.map((line) => {
    const [, id = '', left = '', right = '', written = ''] = interval.exec(line) ?? [];
    const name = written.trim();
    while (above.length > 0 && (above.at(-1)?.right ?? 0) < Number(left)) above.pop();
    above.push({ name, right: Number(right) });
    if (above.length > MAX_DEPTH) throw tooDeep();
    return { id, name, info: '', path: above.map((one) => one.name) };
  });
}

const quoted = /^"((?:[^"]|"")*)"$/;
/** Headings that people write above a list of one column. */
const heading =
  /^(?:marken?|brands?|hersteller|manufacturers?|farben?|colou?rs?|kategorien?|categor(?:y|ies)|namen?|bezeichnung)$/i;

/** Reads one name from each line: a list of brands or colours as people write it, or a table of one column. */
export function plainLines(text: string): { drafts: Draft[]; warnings: string[] } {
  const written = text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isQuoted = written.every((line) => quoted.test(line));
  const lines = isQuoted ? written.map((line) => (quoted.exec(line)?.[1] ?? '').replaceAll('""', '"').trim()) : written;
  const [first = '', ...others] = lines;
  const isHeading = others.length > 0 && heading.test(first);
  return {
    drafts: (isHeading ? others : lines).map((name) => ({ id: name, name, info: '' })),
    warnings: isHeading
      ? [
          `Die erste Zeile „${first}“ gilt als Überschrift und ist kein Eintrag. Ist sie doch einer, setzen Sie bitte eine Überschrift darüber und laden die Datei noch einmal hoch.`,
        ]
      : [],
  };
}
