import { expect } from 'vitest';
import { DifferenceSettings } from '#shared/difference/schema.ts';
import { api } from '#shared/http/api.ts';
import { importFile as importNamed, masterWith, runExport, type TestKontor } from '../kontor.ts';

export const row = (number: number, price = '10,00', stock = 5) => `A-${number};Ware ${number};${price};${stock}`;
export const file = (rows: readonly string[]) => ['sku;titel;preis;bestand', ...rows, ''].join('\n');
export const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
export const twenty = file(numbers(1, 20).map((number) => row(number)));

export const importFile = (kontor: TestKontor, masterid: string, bytes: string) =>
  importNamed(kontor, masterid, { name: 'artikel.csv', bytes });

/** Creates a catalogue, of twenty items unless others are given. */
export const catalogue = (kontor: TestKontor, csv = twenty) => masterWith(kontor, csv, { key: 'sku' });

export const settings = (action: string, negative = 0, positive = 0) =>
  DifferenceSettings.parse({ action_on_difference: action, neg_difference: negative, pos_difference: positive });

/** Creates an export that has run once. */
export async function exportedOnce(kontor: TestKontor, masterid: string): Promise<string> {
  const { id } = await kontor.ask(api.createExport, {
    params: { masterid },
    body: { name: 'Kanal', format: { kind: 'csv' } },
  });
  expect((await runExport(kontor, id)).run.state).toBe('done');
  return id;
}
