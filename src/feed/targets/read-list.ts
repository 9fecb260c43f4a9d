import { countText, integerText } from '#shared/values/integer-text.ts';
import { gunzipSync } from 'node:zlib';
import { PATH_MARK, TARGET_LIMITS, type TargetEntry } from '#shared/targets/schema.ts';
import { type Draft, ListRefused, MAX_DEPTH, tooDeep } from './draft.ts';
import { readJson } from './read-json.ts';
import { plainLines, readLines } from './read-lines.ts';
import { readXmlList } from './read-xml.ts';
import { listText } from './list-text.ts';
import { commentWarnings, withoutPreamble } from './preamble.ts';
import { readHeadless, readTable, recordsOf, withoutTitles } from './read-table.ts';

export type ReadList = { entries: TargetEntry[]; warnings: string[] };

/**
 * Reads a channel's own file of categories, brands or colours: text with ids and paths, a table, or a JSON or XML list or tree,
 * optionally gzipped. Nothing is dropped by guessing: ambiguous ids and cycles refuse the whole file.
 * @throws ListRefused with the German reason
 */
export function readList(bytes: Uint8Array): ReadList {
  const { drafts, warnings } = read(withoutPreamble(listText(unpacked(bytes))));
  const usable = drafts.filter(({ id, name }) => id !== '' && name !== '');
  if (usable.length === 0)
    throw new ListRefused('In der Datei stehen keine Einträge mit Kennung und Namen.', 'no_list');
  if (usable.length > TARGET_LIMITS.entries)
    throw new ListRefused(
      `Die Liste hat ${integerText(usable.length)} Einträge; höchstens ${integerText(TARGET_LIMITS.entries)} sind möglich.`,
    );
  const skipped = drafts.length - usable.length;
  if (skipped > 0)
    warnings.push(
      `${countText(skipped, 'Zeile ohne Kennung oder Namen wurde', 'Zeilen ohne Kennung oder Namen wurden')} ausgelassen.`,
    );
  const { entries, twice } = unique(withPaths(usable));
  if (twice > 0) warnings.push(`${countText(twice, 'Eintrag stand', 'Einträge standen')} doppelt in der Datei.`);
  return { entries, warnings };
}

/** The entries by the first list format that matches the text, with warnings for the user. */
function read({ text, comments, delimiter }: ReturnType<typeof withoutPreamble>): {
  drafts: Draft[];
  warnings: string[];
} {
  const tree = readXmlList(text) ?? readJson(text);
  const records = tree === undefined ? recordsOf(text, delimiter) : undefined;
  const headed = records && (readTable(records) ?? readTable(withoutTitles(records)));
  const table = tree === undefined ? headed : { drafts: tree, warnings: [] };
  if (table !== undefined) return { ...table, warnings: [...table.warnings, ...commentWarnings(comments)] };
  const lines = readLines(text, comments);
  if (lines !== undefined) return lines;
  if (records !== undefined) return { drafts: readHeadless(records), warnings: commentWarnings(comments) };
  return plainLines([...comments, text].join('\n'));
}

function unpacked(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const list = gunzipped(bytes);
  if (list[0] === 0x50 && list[1] === 0x4b)
    throw new ListRefused(
      'In der gepackten Datei (gz) liegt eine Excel- oder ZIP-Datei. Bitte entpacken Sie sie, und laden Sie die Excel-Datei selbst hoch.',
    );
  return list;
}

function gunzipped(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: TARGET_LIMITS.bytes });
  } catch (error) {
    const large = error instanceof RangeError;
    throw new ListRefused(
      large ? 'Die Datei ist entpackt größer als 64 MB.' : 'Die gepackte Datei (gz) ist beschädigt oder unvollständig.',
    );
  }
}

/** Characters that a stored attribute has besides its name. */
const ATTRIBUTE_COST = 30;

/** Adds full names: as given, or by following the parents. */
function withPaths(drafts: readonly Draft[]): TargetEntry[] {
  const above = parentsOf(drafts);
  let characters = 0;
  return drafts.map((draft) => {
    const path = draft.parent === undefined ? (draft.path ?? [draft.name]) : climb(draft, above);
    const { id, info, attributes } = draft;
    const name = path.map((part) => part.trim()).join(PATH_MARK);
    characters += name.length + (attributes ?? []).reduce((sum, one) => sum + one.name.length + ATTRIBUTE_COST, 0);
    // A long name is repeated in those of all entries below it, and the attributes of a group in all of its categories.
    if (characters > TARGET_LIMITS.bytes)
      throw new ListRefused('Mit vollständigen Namen und Attributen ist die Liste größer als 64 MB.');
    return { id, name, info, ...(attributes === undefined ? {} : { attributes: [...attributes] }) };
  });
}

/** Finds an entry's parent: by id, or by a name that only one entry has. */
function parentsOf(drafts: readonly Draft[]): (parent: string) => Draft | undefined {
  const byId = new Map(drafts.map((draft) => [draft.id, draft]));
  const byName = Map.groupBy(drafts, ({ name }) => name);
  return (parent) => {
    const named = byName.get(parent);
    return byId.get(parent) ?? (named?.length === 1 ? named[0] : undefined);
  };
}

function climb(draft: Draft, above: (parent: string) => Draft | undefined): string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  for (
    let at: Draft | undefined = draft;
    at !== undefined;
    // eBay's top categories name themselves as parent.
    at = at.parent === undefined || at.parent === at.id ? undefined : above(at.parent)
  ) {
    if (seen.has(at.id))
      throw new ListRefused(`Der Baum hat einen Kreis: „${draft.name}“ (${draft.id}) ist sein eigener Vorfahre.`);
    seen.add(at.id);
    path.push(at.name);
  }
  if (path.length > MAX_DEPTH) throw tooDeep();
  return path.toReversed();
}

function unique(entries: readonly TargetEntry[]): { entries: TargetEntry[]; twice: number } {
  const found = new Map<string, TargetEntry>();
  const clashes: string[] = [];
  let twice = 0;
  for (const entry of entries) {
    const known = found.get(entry.id);
    if (known === undefined) found.set(entry.id, entry);
    else if (known.name === entry.name) twice += 1;
    else clashes.push(`${entry.id} („${known.name}“ und „${entry.name}“)`);
  }
  if (clashes.length > 0) {
    const more = clashes.length > 5 ? ` und ${integerText(clashes.length - 5)} weitere` : '';
    throw new ListRefused(
      `Kennungen stehen für zwei verschiedene Einträge: ${clashes.slice(0, 5).join(', ')}${more}. Es wurde nichts geändert; bitte die Datei berichtigen.`,
    );
  }
  return { entries: [...found.values()], twice };
}
