import type { Severity } from '#shared/channels/schema.ts';
import type { Words } from './kind.ts';
import { kinds, type KindName } from './kinds.ts';

/** Where a problem's bit stands: column `_problems<column>`, and the number in it. */
export type Place = { readonly column: number; readonly bit: number };

/** Something that can be wrong with the items of an export: one kind at one field. */
export type Problem = Place & {
  /** The same from run to run, as long as field and row are. */
  readonly key: string;
  readonly kind: KindName;
  readonly severity: Severity;
  /** The field's name in the export, and what people call it. */
  readonly field: string;
  readonly title: string;
  /** The construction row it comes from; null: the construction has none. */
  readonly rowId: string | null;
  /** Names of the export's fields whose values show it. */
  readonly shows: readonly string[];
  readonly detail: string;
};

export const maskName = (column: number): string => `_problems${column}`;

/** What is wrong, what it means and what to do, in German. */
export function wordsOf(
  { kind, title, detail }: Problem,
  channel: string,
): Record<'sentence' | 'means' | 'todo', string> {
  const words: Words = { field: title, channel: channel === '' ? 'Der Kanal' : channel, detail };
  const { sentence, means, todo } = kinds[kind];
  return { sentence: sentence(words), means: means(words), todo: todo(words) };
}
