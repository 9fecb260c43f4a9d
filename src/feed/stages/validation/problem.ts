import type { Severity } from '#shared/channels/schema.ts';
import type { Words } from './kind.ts';
import { kinds, type KindName } from './kinds.ts';

/** The position of a problem's bit: column `_problems<column>`, and the bit's number in it. */
export type Place = { readonly column: number; readonly bit: number };

/** A possible problem of an export's items: one kind at one field. */
export type Problem = Place & {
  /** Stable between runs as long as field and row stay the same. */
  readonly key: string;
  readonly kind: KindName;
  readonly severity: Severity;
  /** The field's name in the export, and its display name. */
  readonly field: string;
  readonly title: string;
  /** The construction row that the field comes from; null: the construction lacks it. */
  readonly rowId: string | null;
  /** Names of the export's fields whose values show the problem. */
  readonly shows: readonly string[];
  readonly detail: string;
};

export const maskName = (column: number): string => `_problems${column}`;

/** What is wrong, what it means and what to do, in German. */
export function wordsOf(
  { kind, severity, title, detail }: Problem,
  channel: string,
): Record<'sentence' | 'means' | 'todo', string> {
  const words: Words = { field: title, channel: channel === '' ? 'Der Kanal' : channel, detail, severity };
  const { sentence, means, todo } = kinds[kind];
  return { sentence: sentence(words), means: means(words), todo: todo(words) };
}
