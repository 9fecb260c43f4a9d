import { expect, it } from 'vitest';
import { defaultFormat, type OutputFormat } from '#shared/exports/schema.ts';
import { fileNameError, fileNameHints } from './file-name-hints.ts';

it.for<[string, OutputFormat['kind'], RegExp[]]>([
  ['artikel.csv', 'csv', []],
  ['artikel.csv', 'xml', [/endet auf „\.csv“, die Datei ist aber XML\. Üblich ist „\.xml“/]],
  ['artikel.xml', 'xml', [/Abruf-Adresse/]],
  ['artikel.JSON', 'csv', [/„\.json“/, /bisherige gilt nur bis zum nächsten Lauf/]],
  // Channels ask for tables under many names.
  ['artikel.txt', 'csv', [/Abruf-Adresse/]],
  ['artikel', 'csv', [/Abruf-Adresse/]],
])('the name %s of a %s file that was called artikel.csv has hints: %s', ([filename, kind, hints]) => {
  const draft = { filename, format: { ...defaultFormat, kind } };
  expect(fileNameHints({ filename: 'artikel.csv' }, draft)).toEqual(
    hints.map((hint) => expect.stringMatching(hint) as string),
  );
});

it('T20 a file name of dots and blanks only is refused, because it would be another address', () => {
  for (const name of ['.', '..', ' ', '. .']) expect(fileNameError(name)).toMatch(/nicht nur aus Punkten/);
  for (const name of ['', 'a/b.csv', '../a.csv']) expect(fileNameError(name)).toMatch(/^Erlaubt sind/);
  for (const name of ['a', '.csv', 'Größen 1.csv']) expect(fileNameError(name)).toBeUndefined();
});
