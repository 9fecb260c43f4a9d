import type { ExportSettings } from '#shared/exports/schema.ts';
import { fieldsShape } from '#client/editor/document-shape.ts';

const spelled: Readonly<Record<string, string>> = { '\n': 'LF', '\r\n': 'CR LF', '\t': 'Tabulator' };

/** Export settings are merged field by field; the labels are those of the form. */
export const settingsShape = fieldsShape<ExportSettings>({
  labels: {
    name: 'Name',
    channel: 'Kanal',
    filename: 'Dateiname',
    omitInvalid: 'Artikel mit Fehlern auslassen',
    'delta.active': 'Nur Änderungen übergeben',
    'delta.fullHours': 'Ganze Datei spätestens nach Stunden',
    'delta.removed': 'Entfallene Artikel',
    'stockFields.id': 'Bestand und Preis: Feld der Artikelnummer',
    'stockFields.stock': 'Bestand und Preis: Feld des Bestands',
    'stockFields.price': 'Bestand und Preis: Feld des Preises',
    'format.kind': 'Art der Datei',
    'format.delimiter': 'Trennzeichen',
    'format.quote': 'Textbegrenzer',
    'format.quoting': 'Textbegrenzer setzen',
    'format.header': 'Kopfzeile',
    'format.lineEnd': 'Zeilenende',
    'format.encoding': 'Zeichensatz',
    'format.decimal': 'Dezimalzeichen',
    'format.price': 'Preise',
    'format.currency': 'Währung',
    'format.stripHtml': 'HTML entfernen',
    'format.style': 'Aufbau',
    'format.root': 'Wurzelelement',
    'format.item': 'Element je Artikel',
    'format.nested': 'Feldnamen als Pfad lesen',
    'format.typed': 'Zahlen als Zahlen schreiben',
    'format.member': 'Name der Artikelliste',
    'format.head': 'Weitere Angaben neben der Liste',
  },
  words: (_path, value) => (typeof value === 'string' ? spelled[value] : undefined),
});
