import { integerText } from '#shared/values/integer-text.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import type { ConstructionRow } from './schema.ts';

/** Likely mistakes of a construction; it can still be saved. */
export type ConstructionFaults = {
  /** Number of rows without a name, which are not in the file. */
  readonly nameless: number;
  /** Names of several rows although the channel takes one value. */
  readonly repeated: ReadonlySet<string>;
  /** Fields that the channel requires and no row has. */
  readonly missing: readonly string[];
};

type Row = Pick<ConstructionRow, 'exportfield'>;
type Known = Pick<ChannelField, 'name' | 'requirement' | 'many'>;

/** Returns the likely mistakes; `fields` are those of the channel's template. */
export function constructionFaults(rows: readonly Row[], fields: readonly Known[]): ConstructionFaults {
  const names = rows.map(({ exportfield }) => exportfield.trim());
  const known = new Set(names);
  const repeatable = new Set(fields.filter(({ many }) => many?.repeat === true).map(({ name }) => name));
  return {
    nameless: names.filter((name) => name === '').length,
    repeated: new Set(
      names.filter((name, index) => name !== '' && !repeatable.has(name) && names.indexOf(name) < index),
    ),
    missing: fields
      .filter(({ requirement, name }) => requirement === 'Required' && !known.has(name))
      .map(({ name }) => name),
  };
}

/** Returns the mistakes as German sentences. */
export function faultSentences({ nameless, repeated, missing }: ConstructionFaults): string[] {
  const named = [...repeated].map((name) => `„${name}“`).join(', ');
  return [
    ...(missing.length === 0 ? [] : [`Pflichtfelder ohne Zeile: ${missing.join(', ')}.`]),
    ...(repeated.size === 0
      ? []
      : [`Mehrere Zeilen heißen ${named}: Die Datei hat dann mehrere Spalten dieses Namens.`]),
    ...(nameless === 0
      ? []
      : [
          nameless === 1
            ? 'Eine Zeile hat keinen Namen und wird nicht ausgegeben.'
            : `${integerText(nameless)} Zeilen haben keinen Namen und werden nicht ausgegeben.`,
        ]),
  ];
}
