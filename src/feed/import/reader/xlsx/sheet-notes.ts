import { countText } from '#feed/import/reader/limits.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';

type Kind = 'formula' | 'error' | 'hidden' | 'merged' | 'text';
type Noted = { count: number; first: string };

/** Differences between what a sheet shows and what its cells hold, counted while reading; reported for the imported sheet. */
export class SheetNotes {
  private readonly noted = new Map<Kind, Noted>();

  private note(kind: Kind, first: string): void {
    const known = this.noted.get(kind);
    if (known) known.count += 1;
    else this.noted.set(kind, { count: 1, first });
  }

  /** Counts a formula without a value: written by a program that does not calculate, and never opened since. */
  formulaWithoutValue(reference: string): void {
    this.note('formula', reference);
  }

  error(text: string, reference: string): void {
    this.note('error', `${text} in ${reference}`);
  }

  /** Counts a cell that refers to a text missing from the workbook. */
  textMissing(reference: string): void {
    this.note('text', reference);
  }

  hiddenRow(row: number): void {
    this.note('hidden', countText(row));
  }

  /** Counts merged cells. `reference`: e.g. `C2:C8`. Merges within one row are ignored: they are headings. */
  merged(reference: string): void {
    const [, from, to] = /^[A-Z]+(\d+):[A-Z]+(\d+)$/u.exec(reference) ?? [];
    if (Number(to) > Number(from)) this.note('merged', reference);
  }

  tell(warnings: Warnings): void {
    const say = (kind: Kind, code: string, text: (noted: Noted) => string) => {
      const noted = this.noted.get(kind);
      if (noted) warnings.once(code, text(noted));
    };
    const count = (noted: Noted, one: string, many: string) =>
      noted.count === 1 ? one : `${countText(noted.count)} ${many}`;
    say(
      'formula',
      'formulas_empty',
      (noted) =>
        `In ${count(noted, 'einer Zelle steht eine Formel', 'Zellen stehen Formeln')} ohne berechneten Wert (zuerst ${noted.first}). Diese Werte sind leer, auch wenn Ihre Tabellenkalkulation sie anzeigt. Bitte öffnen Sie die Datei dort, speichern Sie sie und lesen Sie sie dann erneut ein.`,
    );
    say(
      'error',
      'excel_errors',
      (noted) =>
        `In ${count(noted, 'einer Zelle', 'Zellen')} steht ein Fehler der Berechnung (zuerst ${noted.first}). Er wurde als Text übernommen. Bitte prüfen Sie die Formeln.`,
    );
    say(
      'text',
      'texts_missing',
      (noted) =>
        `In ${count(noted, 'einer Zelle fehlt der Text', 'Zellen fehlt der Text')} (zuerst ${noted.first}): Die Excel-Datei ist beschädigt. Diese Werte sind leer. Bitte öffnen Sie die Datei in Excel, prüfen Sie sie und speichern Sie sie neu.`,
    );
    say('hidden', 'hidden_rows', (noted) =>
      noted.count === 1
        ? `Im Tabellenblatt ist Zeile ${noted.first} ausgeblendet. Auch sie wurde gelesen. Bitte löschen Sie sie, wenn sie nicht dazugehören soll.`
        : `Im Tabellenblatt sind ${countText(noted.count)} Zeilen ausgeblendet (zuerst Zeile ${noted.first}). Auch sie wurden gelesen. Bitte löschen Sie sie, wenn sie nicht dazugehören sollen.`,
    );
    say(
      'merged',
      'merged_cells',
      (noted) =>
        `Im Tabellenblatt reichen ${count(noted, 'verbundene Zellen', 'Mal verbundene Zellen')} über mehrere Zeilen (zuerst ${noted.first}). Ihr Wert steht nur in der ersten Zeile, in den übrigen ist er leer. Bitte heben Sie die Verbindung auf und füllen Sie die Zellen.`,
    );
  }
}
