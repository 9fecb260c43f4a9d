import { goneSources } from '#shared/runs/words.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { sizeText } from '#shared/values/size-text.ts';
import type { ChannelTemplate } from '#shared/channels/schema.ts';
import { constructionFaults, faultSentences } from '#shared/construction/faults.ts';
import { incompleteRows, type SourcePart } from '#shared/construction/schema.ts';
import type { Constructed } from '#feed/stages/construction/columns.ts';
import { passesThrough } from '#feed/plan/export-plan.ts';
import type { LoadedPlan } from '#feed/plan/load-plan.ts';
import { headerChange } from '#feed/construction-editing/header-change.ts';
import type { OutputRecord } from '#feed/stages/output/store.ts';
import type { Encoded } from '#feed/stages/output/encoding/encode.ts';
import type { Written } from '#feed/stages/output/write.ts';
import type { DiagnosisRecord } from '#feed/stages/validation/record.ts';

type Outcome = {
  written: Pick<Written, 'bytes' | 'replaced' | 'simplified' | 'warnings'>;
  items: number;
  omitted: number;
  found: DiagnosisRecord | undefined;
};

/** Warnings for the merchant although the run succeeded, in German. */
export function runWarnings(
  { plan, before }: LoadedPlan & { before: OutputRecord | undefined },
  { columns, gone }: Pick<Constructed, 'columns' | 'gone'>,
  { written, items, omitted, found }: Outcome,
): string[] {
  const warnings: string[] = [];
  if (plan.construction.length === 0)
    warnings.push('Der Feldaufbau ist leer: alle Felder werden unter ihrem eigenen Namen ausgegeben.');
  else if (passesThrough(plan)) warnings.push(unfilledText);
  const { rowIds } = incompleteRows(plan.construction);
  if (rowIds.length > 0) {
    const names = plan.construction
      .filter((row) => rowIds.includes(row.id))
      .map((row) => row.exportfield || '(ohne Namen)');
    warnings.push(`Pflichtfelder ohne Quelle: ${names.join(', ')}.`);
  }
  // Fields that only attributes fill have a column but no row; without rows the catalogue's fields are passed through.
  const faults = constructionFaults(plan.construction, plan.template?.fields ?? []);
  const columnNames = new Set(columns.map(({ name }) => name));
  warnings.push(...faultSentences({ ...faults, missing: faults.missing.filter((name) => !columnNames.has(name)) }));
  warnings.push(...goneWarnings(gone));
  if (columns.length === 0) warnings.push('Der Export hat keine Felder.');
  if (items === 0)
    warnings.push('Der Export enthält keine Artikel: die Regeln schließen alle aus, oder der Katalog ist leer.');
  warnings.push(...encodingWarnings(written), ...written.warnings);
  if (omitted > 0)
    warnings.push(
      `${inGerman(omitted)} Artikel mit Fehlern wurden ausgelassen, wie in den Einstellungen verlangt. Die Diagnose nennt sie.`,
    );
  const errors = found?.readiness.errors ?? 0;
  if (omitted === 0 && errors > 0)
    warnings.push(
      `${inGerman(errors)} von ${inGerman(items)} Artikeln haben Fehler. Die Diagnose nennt sie und ihre Behebung.`,
    );
  const changed = plan.template?.fixedHeader
    ? headerChange(
        before?.sidecars.header,
        columns.map(({ name }) => name),
      )
    : undefined;
  if (changed !== undefined)
    warnings.push(
      `${changed} ${plan.template?.name} merkt sich Namen und Reihenfolge der Spalten: Geben Sie die Änderung dort bekannt, oder stellen Sie den alten Aufbau wieder her.`,
    );
  warnings.push(...limitWarnings(plan.template, { items, bytes: written.bytes }));
  return warnings;
}

/** A channel's file with the whole catalogue in it is of no use there, and shows what is nobody's business. */
const unfilledText =
  'Im Feldaufbau hat noch kein Feld eine Quelle: Die Datei enthält stattdessen alle Felder des Katalogs unter ihrem eigenen Namen, auch interne wie Einkaufspreise. Wählen Sie im Feldaufbau Quellen, und starten Sie den Export erneut, bevor der Kanal die Datei abruft.';

/** At most this many are named. */
const MOST_GONE = 10;

/** Warns of sources that the catalogue does not have: often a supplier renamed a column, and a whole field of the file is empty. */
export function goneWarnings(gone: readonly Pick<SourcePart, 'type' | 'value'>[]): string[] {
  if (gone.length === 0) return [];
  const named = gone
    .slice(0, MOST_GONE)
    .map(({ type, value }) => `${type === '_mapping' ? 'Mapping' : 'Feld'} „${value}“`);
  const more = gone.length > MOST_GONE ? ` und ${integerText(gone.length - MOST_GONE)} weitere` : '';
  const paused = gone.some(({ type }) => type === '_mapping') ? ', oder ein Mapping ist pausiert' : '';
  return [
    `${goneSources}${paused}: ${named.join(', ')}${more}. Ihre Werte bleiben leer. Bitte prüfen Sie die Spaltennamen des letzten Imports, oder wählen Sie im Feldaufbau andere Quellen.`,
  ];
}

/** Warns of characters that the file's encoding lacks. */
export function encodingWarnings({ replaced, simplified }: Encoded): string[] {
  const lost = (count: number, one: string, many: string) =>
    count === 0
      ? []
      : [
          `${integerText(count)} Zeichen gibt es im gewählten Zeichensatz nicht; ${count === 1 ? one : many} in der Datei.`,
        ];
  const warnings = [
    ...lost(replaced, 'es steht als „?“', 'sie stehen als „?“'),
    ...lost(
      simplified,
      'es steht in einfacher Form (etwa „-“ statt „–“)',
      'sie stehen in einfacher Form (etwa „-“ statt „–“)',
    ),
  ];
  return warnings.length === 0 ? [] : [`${warnings.join(' ')} Mit UTF-8 geht nichts verloren.`];
}

/** Warns if a file exceeds the channel's limits; refusing it is up to the channel. */
export function limitWarnings(
  template: Pick<ChannelTemplate, 'name' | 'limits'> | undefined,
  file: { items: number; bytes: number },
): string[] {
  if (template === undefined) return [];
  const { name, limits } = template;
  const warnings: string[] = [];
  if (limits.items !== undefined && file.items > limits.items)
    warnings.push(
      `${name} nimmt höchstens ${integerText(limits.items)} Artikel in einer Datei an; diese enthält ${integerText(file.items)}. Der Rest wird dort vielleicht nicht gelesen: Teilen Sie das Sortiment auf mehrere Exporte auf.`,
    );
  if (limits.bytes !== undefined && file.bytes > limits.bytes)
    warnings.push(
      `${name} nimmt Dateien von höchstens ${sizeText(limits.bytes)} an; diese hat ${sizeText(file.bytes)}. Sie wird dort vielleicht abgelehnt: Teilen Sie das Sortiment auf mehrere Exporte auf, oder lassen Sie Felder weg.`,
    );
  return warnings;
}

const inGerman = (count: number) => count.toLocaleString('de-DE');
