import { KontorError } from '#platform/errors.ts';
import { tooLarge } from '#platform/text/xml-tree.ts';

/** A document as `readJson` gives it: its numbers are texts, so that ids and amounts keep all their digits. */
export type JsonValue = unknown;
export type JsonNode = Readonly<Record<string, unknown>>;

/** Deeper documents are no orders; the limit keeps a hostile file from filling the stack. */
const DEEPEST = 40;

/** Most values of a document: each takes about 100 bytes of memory, so that 20 MB of '{},' took 2.4 GB. */
const MOST_VALUES = 1_000_000;

/** Returns whether a text can have too many values: each but the first follows a bracket or a comma. */
function hasTooMany(text: string): boolean {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b || code === 0x2c) found += 1;
  }
  return found > MOST_VALUES;
}

/** The value of a document, or of one in each line. @throws KontorError for what is no JSON or has too many values */
export function readJson(text: string): JsonValue {
  if (hasTooMany(text)) throw tooLarge();
  try {
    return JSON.parse(text, exactText);
  } catch (error) {
    const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
    try {
      if (lines.length > 1 && lines.every((line) => line.trimStart().startsWith('{')))
        return lines.map((line): unknown => JSON.parse(line, exactText));
    } catch {
      // Neither way: the first error counts.
    }
    throw new KontorError(422, 'unreadable', broken, { cause: error });
  }
}

const broken =
  'Die Datei ist kein gültiges JSON: Sie ist beschädigt oder unvollständig. Es wurde nichts gespeichert. Bitte laden Sie sie noch einmal herunter.';

const exactText = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value;

export const isNode = (value: unknown): value is JsonNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The trimmed text on a path of members; '' where there is none. */
export function textOf(node: JsonNode, ...path: string[]): string {
  let at: unknown = node;
  for (const name of path) at = isNode(at) ? at[name] : undefined;
  return typeof at === 'string' ? at.trim() : '';
}

export function nodeOf(node: JsonNode, name: string): JsonNode | undefined {
  const value = node[name];
  return isNode(value) ? value : undefined;
}

/** The objects in a member that is a list. */
export function nodesOf(node: JsonNode, name: string): JsonNode[] {
  const value = node[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The objects of a document that are what is looked for, wherever they are; not those inside of one that was found. */
export function nodesThat(value: JsonValue, is: (node: JsonNode) => boolean, depth = 0): JsonNode[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((one: unknown) => nodesThat(one, is, depth + 1));
  if (!isNode(value)) return [];
  if (is(value)) return [value];
  return Object.values(value).flatMap((one) => nodesThat(one, is, depth + 1));
}
